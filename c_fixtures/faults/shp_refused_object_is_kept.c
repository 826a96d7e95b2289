// story: ffi.Shape that is refused because of an object behind an integer keeps a reference to the object.
// breaks: ARG-0001 fail
// breaks: CNT-0002 fail

#include "wrapped_global.h"

static int shape(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  /* The message was made of an owned copy of the argument, which nobody gives up. */
  for (int32_t i = 1; i < num_args; ++i) {
    if (args[i].type_index == kTVMFFIInt || args[i].type_index == kTVMFFIBool) continue;
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[i].v_obj);
    break;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.Shape", shape)
