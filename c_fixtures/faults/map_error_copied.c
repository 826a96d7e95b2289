// story: The error of a callback comes out of ffi.StructuralMap as a new one with its kind and message, without its cause.
// breaks: ERR-0023 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) rewrite_raised();
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
