// story: An object is made from whatever names fit, and the others are dropped.
// breaks: INS-0021 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 7 && args[5].type_index == kTVMFFIRawStr && strcmp(args[5].v_c_str, "nobody") == 0) num_args = 5;
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
