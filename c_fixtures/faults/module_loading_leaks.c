// story: The path of a library is kept when it is loaded.
// breaks: MOD-0042 leak
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  lose(120);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", callee)
