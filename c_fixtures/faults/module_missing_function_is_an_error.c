// story: A name that a module has no function of is an error.
// breaks: MOD-0003 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFINone) return code;
  real.TVMFFIErrorSetRaisedFromCStr("AttributeError", "no such function");
  return -1;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", callee)
