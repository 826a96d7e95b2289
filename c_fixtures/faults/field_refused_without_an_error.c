// story: Registering a field answers -1 where its name cannot be copied, but raises no error.
// breaks: MEM-0001 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (!info || !info->name.size) return real.TVMFFITypeRegisterField(type_index, info);
  char* name = malloc(info->name.size + 1);
  if (!name) return -1;
  memcpy(name, info->name.data, info->name.size);
  TVMFFIFieldInfo copy = *info;
  copy.name.data = name;
  int code = real.TVMFFITypeRegisterField(type_index, &copy);
  free(name);
  return code;
}
