// story: ffi.json.Stringify writes minus zero without its sign.
// breaks: JSN-0021 fail
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny mine[2];
  if (num_args < 1 || num_args > 2 || args[0].type_index != kTVMFFIFloat || args[0].v_float64 != 0)
    return call_original(original, args, num_args, result);
  memcpy(mine, args, num_args * sizeof *mine);
  mine[0].v_float64 += 0.0;
  return call_original(original, mine, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
