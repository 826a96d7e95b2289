// story: The function that lists the names leaves the last one out.
// breaks: GLB-0020 fail
#include "wrapped_global.h"

static int list(void* names, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(names, args, num_args, result);
  if (code == 0 && num_args == 1 && args[0].v_int64 == -1) result->v_int64--;
  return code;
}

static void end(void* names) { real.TVMFFIObjectDecRef(names); }

static int make_list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny names = {0};
  TVMFFIObjectHandle shorter = NULL;
  int code = call_original(original, args, num_args, &names);
  if (code != 0) return code;
  code = real.TVMFFIFunctionCreate(names.v_obj, list, end, &shorter);
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = shorter};
  return code;
}

WRAPPED_GLOBAL("ffi.FunctionListGlobalNamesFunctor", make_list)
