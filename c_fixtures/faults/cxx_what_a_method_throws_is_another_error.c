// story: What a module's method throws is raised as an InternalError without its words.
// breaks: CXX-0019 fail
#include "wrapped_global.h"

static int told_otherwise(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) real.TVMFFIErrorSetRaisedFromCStr("InternalError", "a method has thrown");
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", told_otherwise)
