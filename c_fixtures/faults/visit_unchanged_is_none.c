// story: A structural map that changes nothing answers None.
// breaks: VIS-0020 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index >= kTVMFFIStaticObjectBegin && result->v_obj == args[0].v_obj) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
