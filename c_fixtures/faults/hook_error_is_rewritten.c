// story: The error of a hook that ffi.RecursiveHash asks comes out as a new one with its kind and message.
// breaks: ERR-0023 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) rewrite_raised();
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
