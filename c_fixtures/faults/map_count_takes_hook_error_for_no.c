// story: ffi.MapCount answers 0 when the hash hook of the key raises an error, and leaves the error raised.
// breaks: HSH-0015 fail
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || args[0].type_index != kTVMFFIMap || args[1].type_index < kTVMFFIDynObjectBegin) return code;
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFIInt;
  return 0;
}

WRAPPED_GLOBAL("ffi.MapCount", count)
