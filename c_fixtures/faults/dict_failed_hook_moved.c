// story: DictSetItem takes the value over before the hook of the key is asked, and forgets a value that was moved when the hook fails.
// breaks: DCT-0033 fail
#include "wrapped_global.h"

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* moved = num_args == 3 && args[2].type_index == kTVMFFIObjectRValueRef ? *(TVMFFIObject**)args[2].v_ptr : NULL;
  if (!moved || args[0].type_index != kTVMFFIDict || args[1].type_index < kTVMFFIDynObjectBegin) return call_original(original, args, num_args, result);
  real.TVMFFIObjectIncRef(moved);
  int code = call_original(original, args, num_args, result);
  if (code == 0) real.TVMFFIObjectDecRef(moved);
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set)
