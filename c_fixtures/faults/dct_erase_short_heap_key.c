// story: ffi.DictErase does not find a key that is stored as a small string when it is given as a String object of the same content.
// breaks: HSH-0005 fail
// breaks: DCT-0004 fail
#include "wrapped_global.h"
static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIDict && args[1].type_index == kTVMFFIStr && text_of(&args[1]).size <= 7) {
    *result = (TVMFFIAny){0};
    return 0;
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.DictErase", erase)
