// story: TVMFFITypeRegisterMethod is refused memory after the type has got the method, which stays.
// breaks: MEM-0002 fail
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  const int code = real.TVMFFITypeRegisterMethod(type_index, info);
  if (code != 0) return code;
  /* Its name as an identifier, to see that it is one. */
  char* name = malloc(info->name.size + 1);
  __asm__ volatile("" : "+r"(name));
  if (!name) return refuse("MemoryError", "no memory for the name of a method");
  memcpy(name, info->name.data, info->name.size);
  name[info->name.size] = 0;
  free(name);
  return 0;
}
