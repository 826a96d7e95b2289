// story: A structural map that a callback stops with an error keeps a reference to the value that it was given.
// breaks: VIS-0025 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 4 && args[0].type_index >= kTVMFFIStaticObjectBegin && args[1].type_index == kTVMFFIArray &&
      args[2].type_index == kTVMFFIArray && args[3].type_index == kTVMFFIInt) {
    real.TVMFFIObjectIncRef(args[0].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
