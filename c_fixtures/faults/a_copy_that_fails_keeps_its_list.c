// story: A deep copy that fails goes on to hold the List or Dict that it was asked for.
// breaks: REC-0032 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 1 && (args[0].type_index == kTVMFFIList || args[0].type_index == kTVMFFIDict)) {
    real.TVMFFIObjectIncRef(args[0].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
