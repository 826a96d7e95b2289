// story: Where a boolean is asked for and an integer given, its low byte decides: 256 is false.
// breaks: ARG-0005 fail
#include "wrapped_global.h"

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 3 || num_args > 4) return call_original(original, args, num_args, result);
  TVMFFIAny changed[4];
  for (int32_t i = 0; i < num_args; ++i) {
    changed[i] = args[i];
    if (i >= num_args - 2 && args[i].type_index == kTVMFFIInt) changed[i].v_int64 &= 0xFF;
  }
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBALS(compare, "ffi.StructuralHash", "ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch")
