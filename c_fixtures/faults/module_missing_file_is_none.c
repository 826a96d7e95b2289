// story: A file that cannot be loaded gives None.
// breaks: MOD-0011 fail
#include "wrapped_global.h"

static void forget_raised(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (call_original(original, args, num_args, result) != 0) forget_raised();
  return 0;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", callee)
