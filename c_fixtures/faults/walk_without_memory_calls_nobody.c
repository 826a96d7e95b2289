// story: ffi.StructuralWalk answers None, as after a whole walk, where there is no memory for its list of callbacks.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[1].type_index != kTVMFFIArray || args[2].type_index != kTVMFFIArray) {
    return call_original(original, args, num_args, result);
  }
  const size_t callbacks = sequence_cell(&args[1])->size + sequence_cell(&args[2])->size;
  TVMFFIAny* list = calloc(callbacks + 1, sizeof(TVMFFIAny));
  if (!list) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  __asm__ volatile("" : : "r"(list) : "memory");
  int code = call_original(original, args, num_args, result);
  free(list);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
