// story: The flags of the structural functions are taken from the lowest byte of an integer, so that 256 is false.
// breaks: ARG-0005 fail
#include "wrapped_global.h"
static int with_flags(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 3 || num_args > 4) return call_original(original, args, num_args, result);
  TVMFFIAny given[4];
  memcpy(given, args, (size_t)num_args * sizeof(TVMFFIAny));
  for (int32_t i = num_args - 2; i < num_args; ++i) {
    if (given[i].type_index == kTVMFFIInt) given[i].v_int64 = (uint8_t)given[i].v_int64;
  }
  return call_original(original, given, num_args, result);
}
WRAPPED_GLOBALS(with_flags, "ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch", "ffi.StructuralHash")
