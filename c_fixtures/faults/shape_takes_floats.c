// story: The extents of a Shape may be floats, which are cut.
// breaks: CNT-0002 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny extents[8];
  if (num_args > 8) return call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    extents[i] = args[i];
    if (args[i].type_index != kTVMFFIFloat) continue;
    extents[i] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = (int64_t)args[i].v_float64};
  }
  return call_original(original, extents, num_args, result);
}

WRAPPED_GLOBAL("ffi.Shape", make)
