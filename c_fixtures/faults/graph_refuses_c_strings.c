// story: ffi.FromJSONGraphString refuses a C string.
// breaks: ARG-0012 fail
#include "wrapped_global.h"

static int read(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr) {
    real.TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a String");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read)
