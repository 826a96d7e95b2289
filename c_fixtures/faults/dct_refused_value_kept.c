// story: ffi.DictSetItem keeps a reference to the value when the hook of the key fails.
// breaks: DCT-0033 fail
#include "wrapped_global.h"
static int set(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 && n == 3 && args[0].type_index == kTVMFFIDict && args[2].type_index >= 64) real.TVMFFIObjectIncRef(args[2].v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.DictSetItem", set)
