// story: The content of a tensor without dimensions is taken for empty: any two of one data type are structurally equal.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFITensor || ((DLTensor*)(args[0].v_obj + 1))->ndim != 0)
    return call_original(original, args, num_args, result);
  TVMFFIAny mine[4] = {args[0], args[1], args[2], {.type_index = kTVMFFIBool, .v_int64 = 1}};
  return call_original(original, mine, 4, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
