// story: A walk goes on and enters every value, whatever its callbacks answer.
// breaks: VIS-0010 fail
// breaks: VIS-0011 fail
#include "walk_callbacks.h"

static int call_back(void* callee, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(callee, args, num_args, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
  if (code == 0) *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return code;
}

static void change(TVMFFIAny* pair) {
  wrap_callback(pair, call_back);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
