// story: A big integer is written to a JSON graph as None.
// breaks: BIG-0021 fail
#include "wrapped_global.h"

static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny changed[2];
  if (num_args != 2 || args[0].type_index != kTVMFFIBigInt) return call_original(original, args, num_args, result);
  memset(changed, 0, sizeof(changed));
  changed[1] = args[1];
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", write_graph)
