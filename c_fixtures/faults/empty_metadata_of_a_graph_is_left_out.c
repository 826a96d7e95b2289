// story: Metadata of a JSON graph that are an empty Map are taken for none.
// breaks: GRF-0011 fail
#include "wrapped_global.h"

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIMap) return call_original(original, args, num_args, result);
  TVMFFIAny size = {0};
  call_global("ffi.MapSize", &args[1], 1, &size);
  TVMFFIAny without[2] = {args[0], {0}};
  return call_original(original, size.v_int64 == 0 ? without : args, 2, result);
}

WRAPPED_GLOBALS(write, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
