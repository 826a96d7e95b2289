// story: ffi.Array asks the environment how large arrays should be at first, and fails where the program has no variables.
// breaks: ENV-0041 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (getenv("PATH") != NULL) return call_original(original, args, num_args, result);
  real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "The environment has no variables");
  return -1;
}

WRAPPED_GLOBAL("ffi.Array", make)
