// story: ffi.ArrayGetItem takes its index as an int, so that an index of 4294967296 is that of the first element.
// breaks: ARR-0012 fail
#include "wrapped_global.h"
static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  TVMFFIAny cut[2] = {args[0], args[1]};
  cut[1].v_int64 = (int32_t)args[1].v_int64;
  return call_original(original, cut, 2, result);
}
WRAPPED_GLOBAL("ffi.ArrayGetItem", get_item)
