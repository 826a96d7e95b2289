// story: ffi.RecursiveLt takes the BigInt of fewer words for the smaller one, also when both are negative.
// breaks: BIG-0022 fail
#include "wrapped_global.h"

static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFIBigInt && args[1].type_index == kTVMFFIBigInt) {
    TVMFFIByteArray a = real.TVMFFIBigIntGetContentByteArray(&args[0]);
    TVMFFIByteArray b = real.TVMFFIBigIntGetContentByteArray(&args[1]);
    if (a.size != b.size && a.data[a.size - 1] < 0 && b.data[b.size - 1] < 0) result->v_int64 = a.size < b.size;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveLt", less)
