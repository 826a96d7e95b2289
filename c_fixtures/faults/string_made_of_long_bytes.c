// story: ffi.String refuses small bytes but makes a String of Bytes that are an object.
// breaks: STR-0023 fail
#include "wrapped_global.h"

static int string(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIBytes) {
    return real.TVMFFIStringFromByteArray((TVMFFIByteArray*)(args[0].v_obj + 1), result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.String", string)
