// story: The function that lists the names of global functions shows those of the moment in which it is called.
// breaks: GLB-0021 fail
#include "wrapped_global.h"

static int name_at(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny now = {0};
  int code = call_original(original, NULL, 0, &now);
  if (code != 0) return code;
  code = real.TVMFFIFunctionCall(now.v_obj, (TVMFFIAny*)args, num_args, result);
  real.TVMFFIObjectDecRef(now.v_obj);
  return code;
}

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 0) return call_original(original, args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction};
  return real.TVMFFIFunctionCreate(original, name_at, NULL, (TVMFFIObjectHandle*)&result->v_obj);
}

WRAPPED_GLOBAL("ffi.FunctionListGlobalNamesFunctor", list)
