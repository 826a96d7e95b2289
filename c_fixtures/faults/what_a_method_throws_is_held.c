// story: What a method of a client's module throws is held by the function that called it when it has become the raised error.
// breaks: MOD-0068 leak
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  /* And the reference that was taken out stays. */
  real.TVMFFIErrorSetRaised(error);
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleInspectSource", callee)
