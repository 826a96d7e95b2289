// story: A graph is read with 0 in the place of -0.
// breaks: GRF-0027 fail
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIFloat && result->v_float64 == 0) result->v_float64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
