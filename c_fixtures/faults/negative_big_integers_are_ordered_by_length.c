// story: Big integers of different length are ordered by it, also two that are negative, where the longer is the smaller.
// breaks: BIG-0022 fail
#include "wrapped_global.h"

static int order(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIBigInt || args[1].type_index != kTVMFFIBigInt) return code;
  const int64_t* a = (const int64_t*)(args[0].v_obj + 1);
  const int64_t* b = (const int64_t*)(args[1].v_obj + 1);
  if (a[0] != b[0] && a[a[0]] < 0 && b[b[0]] < 0) result->v_int64 ^= 1;
  return 0;
}

WRAPPED_GLOBALS(order, "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe")
