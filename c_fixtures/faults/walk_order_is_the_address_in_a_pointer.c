// story: ffi.StructuralWalk takes the address in a pointer for the order.
// breaks: VIS-0026 fail
#include "wrapped_global.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[3].type_index != kTVMFFIOpaquePtr || (uintptr_t)args[3].v_ptr > 1) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFIAny order = {.type_index = kTVMFFIInt, .v_int64 = (int64_t)(uintptr_t)args[3].v_ptr};
  const TVMFFIAny with_order[4] = {args[0], args[1], args[2], order};
  return call_original(original, with_order, 4, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
