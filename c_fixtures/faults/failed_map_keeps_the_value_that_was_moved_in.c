// story: ffi.StructuralMap that is given an r-value reference does not release the value when a callback fails.
// breaks: VIS-0025 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if ((num_args != 4 && num_args != 2) || args[0].type_index != kTVMFFIObjectRValueRef || !*(TVMFFIObject**)args[0].v_ptr) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObject* moved = *(TVMFFIObject**)args[0].v_ptr;
  real.TVMFFIObjectIncRef(moved);
  int code = call_original(original, args, num_args, result);
  if (code == 0) real.TVMFFIObjectDecRef(moved);
  return code;
}

WRAPPED_GLOBALS(map, "ffi.StructuralMap", "ffi.StructuralMutate")
