// story: A function is written as null.
// breaks: GRF-0015 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray text = {"null", 4};
  if (num_args > 0 && args[0].type_index == kTVMFFIFunction) return real.TVMFFIStringFromByteArray(&text, result);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", callee)
