// story: ffi.StructuralWalk in post order does not give its reference to the value back when a callback fails.
// breaks: VIS-0025 fail
#include "wrapped_global.h"
static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 4 && args[0].type_index >= kTVMFFIStaticObjectBegin && args[3].type_index == kTVMFFIInt && args[3].v_int64 == 1) {
    real.TVMFFIObjectIncRef(args[0].v_obj);
  }
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
