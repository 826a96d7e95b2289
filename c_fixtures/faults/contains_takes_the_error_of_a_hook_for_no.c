// story: ffi.ArrayContains and ffi.ListContains take an equality hook that fails for one that says no, and go on without its error.
// breaks: HSH-0015 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || args[1].type_index < kTVMFFIDynObjectBegin) return code;
  if (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList) return code;
  forget_raised();
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  return 0;
}

WRAPPED_GLOBALS(contains, "ffi.ArrayContains", "ffi.ListContains")

