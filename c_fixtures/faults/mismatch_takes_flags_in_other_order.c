// story: ffi.GetFirstStructuralMismatch hands its two flags on in the other order.
// breaks: SEQ-0043 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(original, args, num_args, result);
  const TVMFFIAny all[4] = {args[0], args[1], args[3], args[2]};
  return call_original(original, all, 4, result);
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
