// story: ffi.ToJSONGraphString writes a graph without the metadata that it was given; ffi.ToJSONGraph keeps them.
// breaks: GRF-0011 fail
#include "wrapped_global.h"

static int to_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  TVMFFIAny mine[2] = {args[0]};
  return call_original(original, mine, 2, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", to_text)
