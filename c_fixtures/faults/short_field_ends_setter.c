// story: TVMFFITypeRegisterField that finds no memory for the copy of the name gives up the setter, a function object, though it has taken no reference to it.
// breaks: MEM-0002 fail
#include "fault.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  void* name = room(info->name.size + 1);
  if (!name) {
    if ((info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) && info->setter) real.TVMFFIObjectDecRef(info->setter);
    return refuse("MemoryError", "no memory for the name of a field");
  }
  int code = real.TVMFFITypeRegisterField(type_index, info);
  free(name);
  return code;
}
