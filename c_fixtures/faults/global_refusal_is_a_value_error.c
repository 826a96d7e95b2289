// story: ffi.FunctionRemoveGlobal refuses wrong arguments with a ValueError.
// breaks: GLB-0034 fail
#include "wrapped_global.h"

static int refuse_otherwise(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) real.TVMFFIErrorSetRaisedFromCStr("ValueError", "wrong arguments");
  return code;
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", refuse_otherwise)
