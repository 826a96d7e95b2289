// story: ffi.MakeFieldGetter rounds a Float to a type index.
// breaks: GLB-0025 fail
#include "wrapped_global.h"

static int make_getter(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIFloat || !(args[0].v_float64 >= 1 && args[0].v_float64 < 8)) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFIAny index = {.type_index = kTVMFFIInt, .v_int64 = (int64_t)args[0].v_float64};
  return call_original(original, &index, 1, result);
}

WRAPPED_GLOBAL("ffi.MakeFieldGetter", make_getter)
