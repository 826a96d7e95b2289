// story: TVMFFITypeRegisterAttr sets the cell first and grows its index of hooks afterwards, and where that finds no memory it reports an error and leaves the cell set.
// breaks: MEM-0002 fail
#include "fault.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0) return code;
  void* index = room(64);
  if (!index) return refuse("MemoryError", "no memory for the index of hooks");
  free(index);
  return 0;
}
