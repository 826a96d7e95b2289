// story: A map takes the two orders for one another when it has several callbacks.
// breaks: VIS-0049 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[1].type_index != kTVMFFIArray || sequence_cell(&args[1])->size < 2) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny changed[4] = {args[0], args[1], args[2], args[3]};
  if (changed[3].v_int64 == 0 || changed[3].v_int64 == 1) changed[3].v_int64 = 1 - changed[3].v_int64;
  return call_original(original, changed, 4, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
