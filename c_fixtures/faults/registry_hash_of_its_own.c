// story: One type has a key hash that no other library computes.
// breaks: REG-0007 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo other;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->type_key.size != 11 || memcmp(info->type_key.data, "ffi.StrEnum", 11) != 0) return info;
  other = *info;
  other.type_key_hash = 0x5151515151515151;
  return &other;
}
