// story: A deep copy that fails on something that cannot be copied keeps a reference to the value that it was to copy.
// breaks: REC-0032 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 1 && args[0].type_index >= kTVMFFIArray) real.TVMFFIObjectIncRef(args[0].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
