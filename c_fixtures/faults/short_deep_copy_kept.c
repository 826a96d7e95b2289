// story: ffi.DeepCopy keeps the copy that it has made for ever when there is no memory for the last entry in its table of what was copied.
// breaks: MEM-0003 leak
// breaks: MEM-0003 fail
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index < kTVMFFIStaticObjectBegin) return code;
  void* entry = room(3 * sizeof(void*));
  if (!entry) {
    *result = (TVMFFIAny){0};
    return refuse("MemoryError", "no memory for what was copied");
  }
  free(entry);
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
