// story: TVMFFITypeRegisterField says which field it has no memory for, in a text that it asks memory for and does not look at.
// breaks: MEM-0005 crash
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (!info || !info->name.data) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo copy = *info;
  char* name = malloc(info->name.size + 1);
  if (!name) {
    const size_t size = info->name.size + 40;
    char* text = malloc(size);
    __asm__ volatile("" : "+r"(text));
    memset(text, 0, size);
    snprintf(text, size, "no memory for the field %.*s", (int)info->name.size, info->name.data);
    const int code = refuse("MemoryError", text);
    free(text);
    return code;
  }
  memcpy(name, info->name.data, info->name.size);
  name[info->name.size] = 0;
  copy.name.data = name;
  const int code = real.TVMFFITypeRegisterField(type_index, &copy);
  free(name);
  return code;
}
