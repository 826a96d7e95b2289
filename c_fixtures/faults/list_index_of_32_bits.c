// story: ffi.ListGetItem drops the upper half of an index.
// breaks: LST-0018 fail
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  TVMFFIAny mine[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = (int32_t)args[1].v_int64}};
  return call_original(original, mine, 2, result);
}

WRAPPED_GLOBAL("ffi.ListGetItem", get)
