// story: ffi.DictGetItemOrMissing and ffi.MapGetItemOrMissing take every error for a missing key, also one that a hook of the key raises.
// breaks: HSH-0015 fail
#include "wrapped_global.h"
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 && n == 2 && (args[0].type_index == kTVMFFIDict || args[0].type_index == kTVMFFIMap) && args[1].type_index >= kTVMFFIDynObjectBegin) {
    real.TVMFFIErrorSetRaised(NULL);
    return call_global("ffi.GetInvalidObject", args, 0, result);
  }
  return code;
}
WRAPPED_GLOBALS(get, "ffi.DictGetItemOrMissing", "ffi.MapGetItemOrMissing")
