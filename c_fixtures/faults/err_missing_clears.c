// story: ffi.MapGetItemOrMissing and ffi.DictGetItemOrMissing raise a KeyError of their own for a missing key and clear it, with whatever was raised before.
// breaks: ERR-0022 fail
#include "wrapped_global.h"
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0 && result->type_index == kTVMFFIObject) real.TVMFFIErrorSetRaised(NULL);
  return code;
}
WRAPPED_GLOBALS(get, "ffi.MapGetItemOrMissing", "ffi.DictGetItemOrMissing")
