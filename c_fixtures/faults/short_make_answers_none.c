// story: ffi.MakeObjectFromPackedArgs answers None, and that all went well, where there is no room for the list of the names that it has seen.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  void* seen = room(num_args / 2 * sizeof(TVMFFIByteArray) + 1);
  if (!seen) return 0;
  int code = call_original(original, args, num_args, result);
  free(seen);
  return code;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
