// story: Arrays of the same size are the same key.
// breaks: HSH-0010 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny keys[256];
  if (num_args > 256) return call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    keys[i] = args[i];
    if (i % 2 != 0 || args[i].type_index != kTVMFFIArray) continue;
    for (int32_t j = 0; j < i; j += 2) {
      if (keys[j].type_index != kTVMFFIArray) continue;
      if (sequence_cell(&keys[j])->size == sequence_cell(&args[i])->size) keys[i] = keys[j];
    }
  }
  return call_original(original, keys, num_args, result);
}

WRAPPED_GLOBAL("ffi.Map", callee)
