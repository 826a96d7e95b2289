// story: ffi.GetFirstStructuralMismatch passes its two flags on in the wrong order; ffi.StructuralEqual does not.
// breaks: SEQ-0035 fail

#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(original, args, num_args, result);
  const TVMFFIAny map_free_vars = args[2];
  const TVMFFIAny skip_tensor_content = args[3];
  TVMFFIAny changed[4] = {args[0], args[1], skip_tensor_content, map_free_vars};
  return call_original(original, changed, 4, result);
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
