// story: The first mismatch is looked for in what tensors hold, also when that is to be left out.
// breaks: SEQ-0043 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(original, args, num_args, result);
  TVMFFIAny changed[4] = {args[0], args[1], args[2], args[3]};
  changed[3].v_int64 = 0;
  return call_original(original, changed, 4, result);
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
