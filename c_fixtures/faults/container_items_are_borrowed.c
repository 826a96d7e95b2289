// story: What is read from a container has no reference of its own.
// breaks: ARR-0011 fail
// breaks: LST-0002 fail
// breaks: MAP-0003 fail
// chance: Freed memory is used.
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
  return code;
}

WRAPPED_GLOBALS(callee, "ffi.ArrayGetItem", "ffi.ListGetItem", "ffi.MapGetItem")
