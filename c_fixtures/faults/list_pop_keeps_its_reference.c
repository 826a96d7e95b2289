// story: What is popped from a List stays referred to.
// breaks: LST-0022 fail
#include "wrapped_global.h"

static int pop(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ListPop", pop)
