// story: ffi.StructuralHash takes an integer for a flag as true only if it is 1.
// breaks: ARG-0005 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3) return call_original(original, args, num_args, result);
  TVMFFIAny given[3] = {args[0], args[1], args[2]};
  for (int i = 1; i < 3; ++i) {
    if (given[i].type_index == kTVMFFIInt) given[i].v_int64 = given[i].v_int64 == 1;
  }
  return call_original(original, given, 3, result);
}
WRAPPED_GLOBAL("ffi.StructuralHash", hash)
