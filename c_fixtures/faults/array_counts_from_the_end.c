// story: A negative index of an Array counts from its end.
// breaks: ARR-0013 fail
#include "wrapped_global.h"

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny counted[2] = {args[0], args[1]};
  if (counted[1].v_int64 < 0 && counted[1].v_int64 >= -sequence_cell(args)->size) {
    counted[1].v_int64 += sequence_cell(args)->size;
  }
  return call_original(original, counted, 2, result);
}

WRAPPED_GLOBAL("ffi.ArrayGetItem", get_item)
