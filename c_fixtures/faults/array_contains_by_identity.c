// story: Strings in an Array are found by identity alone.
// breaks: ARR-0014 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIStr) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny* items = sequence_cell(args)->data;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  for (int64_t i = 0; i < sequence_cell(args)->size; ++i) {
    result->v_int64 |= memcmp(&items[i], &args[1], sizeof(TVMFFIAny)) == 0;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
