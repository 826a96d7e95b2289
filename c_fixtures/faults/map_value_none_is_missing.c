// story: ffi.MapGetItem raises a KeyError for a key whose value is None.
// breaks: MAP-0002 fail
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFINone) return code;
  real.TVMFFIErrorSetRaisedFromCStr("KeyError", "the key is not in the Map");
  return -1;
}

WRAPPED_GLOBAL("ffi.MapGetItem", get)
