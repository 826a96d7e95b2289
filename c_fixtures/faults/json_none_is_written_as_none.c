// story: None is written as it is called.
// breaks: JSN-0020 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray text = {"None", 4};
  if (num_args == 2 && args[0].type_index == kTVMFFINone) return real.TVMFFIStringFromByteArray(&text, result);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", callee)
