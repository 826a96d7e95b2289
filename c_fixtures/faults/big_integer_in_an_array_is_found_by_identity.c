// story: ffi.ArrayContains compares objects other than texts by their address, big integers too.
// breaks: ARR-0014 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIBigInt) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  int found = 0;
  for (int64_t i = 0; i < cell->size && !found; ++i) found = memcmp((TVMFFIAny*)cell->data + i, &args[1], sizeof(TVMFFIAny)) == 0;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = found};
  return 0;
}
WRAPPED_GLOBAL("ffi.ArrayContains", contains)
