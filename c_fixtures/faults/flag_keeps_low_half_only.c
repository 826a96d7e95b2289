// story: ffi.StructuralEqual takes an integer for its flags by its low 32 bits, so 4294967296 is false instead of true.
// breaks: ARG-0005 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(original, args, num_args, result);
  TVMFFIAny copy[4];
  memcpy(copy, args, sizeof copy);
  for (int i = 2; i < 4; ++i) {
    if (copy[i].type_index == kTVMFFIInt) copy[i].v_int64 = (int32_t)copy[i].v_int64;
  }
  return call_original(original, copy, 4, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
