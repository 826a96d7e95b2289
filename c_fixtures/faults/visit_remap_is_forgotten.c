// story: ffi.StructuralMutatorVarRemapSet records nothing for a replacement that is no object.
// breaks: VIS-0038 fail
#include "wrapped_global.h"

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[1].type_index >= kTVMFFIStaticObjectBegin && args[2].type_index < kTVMFFIStaticObjectBegin) {
    *result = (TVMFFIAny){0};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMutatorVarRemapSet", set)
