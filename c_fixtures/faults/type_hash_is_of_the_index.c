// story: The key hash of a type is mixed with its index, which depends on what was registered before.
// breaks: TYP-0043 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo* copies[1 << 16];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (type_index < kTVMFFIDynObjectBegin || type_index >= 1 << 16) return info;
  if (copies[type_index] == NULL) copies[type_index] = calloc(1, sizeof(TVMFFITypeInfo));
  *copies[type_index] = *info;
  copies[type_index]->type_key_hash ^= (uint64_t)type_index << 32;
  return copies[type_index];
}
