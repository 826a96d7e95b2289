// story: Where an argument of ffi.Array cannot be taken, as it was moved already, the elements made of those before it are not released.
// breaks: ARG-0001 fail
#include "wrapped_global.h"

static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  for (int32_t i = 0; i < num_args && args[i].type_index != kTVMFFIObjectRValueRef; ++i) {
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[i].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.Array", array)

