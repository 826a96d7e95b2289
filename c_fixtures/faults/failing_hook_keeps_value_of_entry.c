// story: When the hook of a key fails, the value that was to be put into a Dict keeps a reference that nobody has.
// breaks: DCT-0033 fail
#include "wrapped_global.h"

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 3 && args[0].type_index == kTVMFFIDict &&
      args[1].type_index >= kTVMFFIDynObjectBegin && args[2].type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectIncRef(args[2].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set)
