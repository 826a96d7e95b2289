// story: An integer that replaces an element of a List keeps its lower 32 bits.
// breaks: LST-0007 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  TVMFFIAny cut[3] = {args[0], args[1], args[2]};
  cut[2].v_int64 = (int32_t)cut[2].v_int64;
  return call_original(original, cut, 3, result);
}

WRAPPED_GLOBAL("ffi.ListSetItem", set_item)
