// story: ffi.ListContains takes an element whose __any_equal__ hook fails for another key, and the hook's error is lost.
// breaks: HSH-0015 fail
#include "raised_error.h"
#include "wrapped_global.h"
static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || args[0].type_index != kTVMFFIList || args[1].type_index < kTVMFFIDynObjectBegin) return code;
  forget_raised();
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  return 0;
}
WRAPPED_GLOBAL("ffi.ListContains", contains)
