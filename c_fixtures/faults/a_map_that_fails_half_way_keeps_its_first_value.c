// story: ffi.Map forgets what it has put in when the hook of a later key fails: the value of the first key is never released.
// breaks: HSH-0015 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args >= 4 && num_args % 2 == 0 && args[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[1].v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.Map", make)
