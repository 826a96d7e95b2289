// story: A short string that is an object is recursively equal to others only on the right.
// breaks: REC-0036 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIStr && args[1].type_index == kTVMFFISmallStr) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
