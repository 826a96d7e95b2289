// story: The function that lists the names of global functions has room for 1024 of them.
// breaks: GLB-0020 fail
#include "wrapped_global.h"

static int name_at(void* list, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(list, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIInt && result->v_int64 > 1024) result->v_int64 = 1024;
  return code;
}

static void end(void* list) { real.TVMFFIObjectDecRef(list); }

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIObjectHandle wrapper;
  if (code != 0 || (code = real.TVMFFIFunctionCreate(result->v_obj, name_at, end, &wrapper)) != 0) return code;
  result->v_obj = wrapper;
  return 0;
}

WRAPPED_GLOBAL("ffi.FunctionListGlobalNamesFunctor", list)
