// story: A float that is an integer is found under the integer.
// breaks: MAP-0005 fail
#include "wrapped_global.h"

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIFloat || args[1].v_float64 != 1.0) {
    return call_original(original, args, num_args, result);
  }
  if (call_original(original, args, num_args, result) == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  TVMFFIAny integer[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = (int64_t)args[1].v_float64}};
  int code = call_original(original, integer, 2, result);
  if (error) real.TVMFFIObjectDecRef(error);
  return code;
}

WRAPPED_GLOBAL("ffi.MapGetItem", get_item)
