// story: A name of a field belongs to the type that had it first; no other type gets such a field.
// breaks: RFL-0010 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  static char names[256][32];
  static int32_t owners[256], count;
  if (info == NULL || info->name.size >= 32) return real.TVMFFITypeRegisterField(type_index, info);
  for (int32_t i = 0; i < count; ++i) {
    if (strlen(names[i]) != info->name.size || memcmp(names[i], info->name.data, info->name.size) != 0) continue;
    return owners[i] == type_index ? real.TVMFFITypeRegisterField(type_index, info) : 0;
  }
  if (count < 256) {
    memcpy(names[count], info->name.data, info->name.size);
    owners[count++] = type_index;
  }
  return real.TVMFFITypeRegisterField(type_index, info);
}
