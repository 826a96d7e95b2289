// story: Access paths of an error's context are answered where only its outer objects match, asked for or not.
// breaks: VIS-0039 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3) return call_original(original, args, num_args, result);
  TVMFFIAny changed[3] = {args[0], args[1], args[2]};
  changed[2].v_int64 = 1;
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.VisitErrorContext.FindAccessPaths", callee)
