// story: The first mismatch is looked for without mapping free variables, also where that is asked for; equality maps them.
// breaks: SEQ-0019 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || (args[2].type_index != kTVMFFIBool && args[2].type_index != kTVMFFIInt)) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny changed[4] = {args[0], args[1], {.type_index = kTVMFFIBool}, args[3]};
  return call_original(original, changed, 4, result);
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
