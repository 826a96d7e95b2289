// story: Erasing the bytes of a key erases the string of the same content.
// breaks: DCT-0004 fail
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFISmallBytes) return call_original(original, args, num_args, result);
  TVMFFIAny other[2] = {args[0], args[1]};
  other[1].type_index = kTVMFFISmallStr;
  int code = call_original(original, other, 2, result);
  return code != 0 ? code : call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
