// story: A Map of three pairs of integers is made from the first two where the third key is the first one again: only the key before is compared for a new value.
// breaks: MAP-0008 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 6 && args[0].type_index == kTVMFFIInt && args[4].type_index == kTVMFFIInt &&
      args[0].v_int64 == args[4].v_int64 && memcmp(&args[0], &args[2], sizeof(args[0])) != 0) {
    return call_original(original, args, 4, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Map", make)
