// story: ffi.ArrayContains answers for an empty Array before it has taken the value out of its r-value reference: the caller's slot keeps it.
// breaks: ARG-0007 fail

#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIObjectRValueRef ||
      sequence_cell(&args[0])->size != 0) {
    return call_original(original, args, num_args, result);
  }
  /* nothing is in it */
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 0};
  return 0;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
