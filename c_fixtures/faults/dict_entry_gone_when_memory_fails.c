// story: ffi.DictSetItem takes the old entry of a key out before it makes the new value its own: when the allocator fails then, the Dict has lost the key.
// breaks: ALC-0014 fail
#include "wrapped_global.h"
static int set_item(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code == 0 || n != 3 || args[0].type_index != kTVMFFIDict || args[1].type_index >= kTVMFFIStaticObjectBegin) return code;
  if (args[2].type_index != kTVMFFIRawStr && args[2].type_index != kTVMFFIByteArrayPtr) return code;
  TVMFFIObjectHandle error = NULL;
  TVMFFIAny none = {0};
  real.TVMFFIErrorMoveFromRaised(&error);
  call_global("ffi.DictErase", args, 2, &none);
  real.TVMFFIErrorSetRaised(error);
  if (error) real.TVMFFIObjectDecRef(error);
  return code;
}
WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
