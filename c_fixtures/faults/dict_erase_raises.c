// story: Erasing a key that a Dict does not have is an error.
// breaks: DCT-0004 fail
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  const uint64_t* size = (const uint64_t*)(args[0].v_obj + 1) + 1;
  uint64_t before = *size;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || *size != before) return code;
  real.TVMFFIErrorSetRaisedFromCStr("KeyError", "key is not in Dict");
  return -1;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
