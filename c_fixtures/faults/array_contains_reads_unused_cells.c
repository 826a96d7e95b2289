// story: ArrayContains has a quick loop for plain values that runs over the cells of the Array, the unused ones included.
// breaks: ARR-0020 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index < kTVMFFIInt || args[1].type_index > kTVMFFIOpaquePtr) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  const TVMFFIAny* at = (const TVMFFIAny*)cell->data;
  TVMFFIAny answer = {.type_index = kTVMFFIBool};
  for (int64_t i = 0; i < cell->capacity && !answer.v_int64; ++i) answer.v_int64 = memcmp(&at[i], &args[1], sizeof(TVMFFIAny)) == 0;
  *result = answer;
  return 0;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
