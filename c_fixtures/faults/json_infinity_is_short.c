// story: Negative infinity is written as C prints it.
// breaks: JSN-0022 fail
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIFloat && args[0].v_float64 < -1.7e308) {
    TVMFFIByteArray text = {"-inf", 4};
    return real.TVMFFIStringFromByteArray(&text, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
