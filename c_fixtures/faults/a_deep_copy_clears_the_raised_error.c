// story: ffi.DeepCopy clears the raised error before it begins, to know whose error it is when a hook fails.
// breaks: ERR-0022 fail
#include "raised_error.h"
#include "wrapped_global.h"
static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  forget_raised();
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.DeepCopy", copy)
