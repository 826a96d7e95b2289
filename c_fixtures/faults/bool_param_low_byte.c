// story: A boolean parameter of ffi.StructuralEqual that is given an integer looks at its lowest byte alone: 256 is false.
// breaks: ARG-0005 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(original, args, num_args, result);
  TVMFFIAny mine[4];
  memcpy(mine, args, sizeof mine);
  for (int i = 2; i < 4; i++)
    if (mine[i].type_index == kTVMFFIInt) mine[i].v_int64 &= 0xff;
  return call_original(original, mine, 4, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
