// story: The JSON text that is missing or no text is read as None.
// breaks: JSN-0035 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || (args[0].type_index != kTVMFFIRawStr && args[0].type_index != kTVMFFISmallStr &&
                        args[0].type_index != kTVMFFIStr)) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
