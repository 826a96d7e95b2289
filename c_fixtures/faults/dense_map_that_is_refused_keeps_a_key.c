// story: A Map is made dense for five keys or more before the odd argument is found, and then the first key is not given up.
// breaks: MAP-0024 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args > 9 && num_args % 2 == 1 && args[0].type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectIncRef(args[0].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.Map", make)
