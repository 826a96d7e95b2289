// story: Of two big integers the one with more words is the greater one, also where both are negative.
// breaks: BIG-0022 fail
#include "wrapped_global.h"

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIBigInt || args[1].type_index != kTVMFFIBigInt) return code;
  const int64_t* left = (const int64_t*)(args[0].v_obj + 1);
  const int64_t* right = (const int64_t*)(args[1].v_obj + 1);
  if (left[0] != right[0] && left[left[0]] < 0 && right[right[0]] < 0) result->v_int64 = !result->v_int64;
  return 0;
}

WRAPPED_GLOBALS(compare, "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe")
