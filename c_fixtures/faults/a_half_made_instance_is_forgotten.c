// story: ffi.MakeObjectFromPackedArgs forgets the instance when a later value is refused, and with it what it has set before.
// breaks: INS-0025 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args >= 5 && num_args % 2 == 1 && args[2].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[2].v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
