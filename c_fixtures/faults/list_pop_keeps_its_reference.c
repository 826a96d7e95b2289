// story: What is popped from a List stays referred to.
// breaks: CNT-0008 fail
// breaks: LST-0009 fail
// breaks: LST-0022 fail
// breaks: LST-0023 fail
// breaks: LST-0035 leak
#include "wrapped_global.h"

static int pop(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ListPop", pop)
