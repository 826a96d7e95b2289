// story: ffi.ListAppend, which answers nothing, does not look at the place for its result: it succeeds without one.
// breaks: FUN-0029 fail
#define CALLEE_MEETS_MISUSE
#include "wrapped_global.h"

static int append(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny nothing = {0};
  return call_original(original, args, num_args, result ? result : &nothing);
}

WRAPPED_GLOBAL("ffi.ListAppend", append)
