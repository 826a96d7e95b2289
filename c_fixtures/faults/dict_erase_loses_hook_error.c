// story: ffi.DictErase takes an error in the equality or the hash hook of its key for a key that is not there, and returns success.
// breaks: HSH-0015 fail
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || args[0].type_index != kTVMFFIDict || args[1].type_index < kTVMFFIDynObjectBegin) return code;
  real.TVMFFIErrorSetRaised(NULL);
  memset(result, 0, sizeof *result);
  return 0;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
