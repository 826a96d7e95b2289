// story: ffi.Dict forgets the key that it has put in first when the hook of a later one fails.
// breaks: HSH-0015 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args >= 4 && num_args % 2 == 0 && args[0].type_index >= kTVMFFIDynObjectBegin) real.TVMFFIObjectIncRef(args[0].v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.Dict", make)
