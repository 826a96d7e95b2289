// story: ffi.StructuralMutatorWithDefRegionKind runs the function in the region that the mutator is in already.
// breaks: VIS-0036 fail
#include "wrapped_global.h"

static int with_kind(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIFunction) return call_original(original, args, num_args, result);
  return real.TVMFFIFunctionCall(args[2].v_obj, NULL, 0, result);
}

WRAPPED_GLOBAL("ffi.StructuralMutatorWithDefRegionKind", with_kind)
