// story: In recursive order a BigInt with fewer words is always the smaller one, also among negative ones.
// breaks: BIG-0022 fail
#include "wrapped_global.h"
static int64_t words(const TVMFFIAny* value) { return *(int64_t*)(value->v_obj + 1); }
static int ordered(const TVMFFIAny* args, int32_t num_args) {
  return num_args == 2 && args[0].type_index == kTVMFFIBigInt && args[1].type_index == kTVMFFIBigInt && words(&args[0]) != words(&args[1]);
}
static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && ordered(args, num_args)) result->v_int64 = words(&args[0]) < words(&args[1]);
  return code;
}
WRAPPED_GLOBALS(less, "ffi.RecursiveLt", "ffi.RecursiveLe")
