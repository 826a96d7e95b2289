// story: ffi.Shape takes floats that are whole numbers for extents.
// breaks: CNT-0002 fail
#include "wrapped_global.h"

static int shape(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny* mine = malloc((num_args + 1) * sizeof *mine);
  for (int i = 0; i < num_args; i++) {
    mine[i] = args[i];
    if (args[i].type_index == kTVMFFIFloat && args[i].v_float64 == (int32_t)args[i].v_float64)
      mine[i] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = (int64_t)args[i].v_float64};
  }
  int code = call_original(original, mine, num_args, result);
  free(mine);
  return code;
}

WRAPPED_GLOBAL("ffi.Shape", shape)
