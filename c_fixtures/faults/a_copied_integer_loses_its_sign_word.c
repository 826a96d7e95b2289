// story: ffi.DeepCopy copies a BigInt without the word that tells the sign where that is all zeros or ones, so it becomes an Int of another value.
// breaks: BIG-0024 fail
#include "wrapped_global.h"
static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIBigInt) {
    const TVMFFIByteArray content = real.TVMFFIBigIntGetContentByteArray(&args[0]);
    const int64_t* words = (const int64_t*)content.data;
    if (content.size == 16 && (words[1] == 0 || words[1] == -1)) {
      *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = words[0]};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.DeepCopy", copy)
