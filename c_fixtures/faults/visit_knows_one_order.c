// story: A walk in post order meets values in pre-order.
// breaks: VIS-0002 fail
#include "wrapped_global.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[3].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  TVMFFIAny in_order[4] = {args[0], args[1], args[2], args[3]};
  in_order[3].v_int64 = 0;
  return call_original(original, in_order, 4, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
