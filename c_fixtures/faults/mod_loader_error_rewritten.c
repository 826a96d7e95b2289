// story: ffi.ModuleLoadFromFile raises the error of a client's loader anew, with kind and message but without its cause and context.
// breaks: ERR-0023 fail
#include "wrapped_global.h"
#include "raised_error.h"
static int load(void* original, const TVMFFIAny* a, int32_t n, TVMFFIAny* r) {
  int code = call_original(original, a, n, r);
  if (code != 0 && n == 1) rewrite_raised();
  return code;
}
WRAPPED_GLOBAL("ffi.ModuleLoadFromFile", load)
