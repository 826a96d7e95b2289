// story: The structural functions take the low 32 bits of an integer that is given for a flag: 2^32 is false.
// breaks: ARG-0005 fail
#include "wrapped_global.h"

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny changed[4];
  if (num_args < 3 || num_args > 4) return call_original(original, args, num_args, result);
  memcpy(changed, args, num_args * sizeof(*args));
  for (int32_t i = num_args - 2; i < num_args; ++i) {
    if (changed[i].type_index == kTVMFFIInt) changed[i].v_int64 = (int32_t)changed[i].v_int64;
  }
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBALS(compare, "ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch", "ffi.StructuralHash")
