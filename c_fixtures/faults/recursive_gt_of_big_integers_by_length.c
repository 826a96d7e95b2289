// story: ffi.RecursiveGt takes a big integer of more words for the greater one, without a look at the sign.
// breaks: BIG-0022 fail
#include "wrapped_global.h"

static int greater(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIBigInt || args[1].type_index != kTVMFFIBigInt) {
    return call_original(original, args, num_args, result);
  }
  const size_t one = real.TVMFFIBigIntGetContentByteArray(&args[0]).size;
  const size_t other = real.TVMFFIBigIntGetContentByteArray(&args[1]).size;
  if (one == other) return call_original(original, args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = one > other};
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveGt", greater)
