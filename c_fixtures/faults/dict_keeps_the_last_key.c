// story: A Dict takes the key along when it gives a key another value.
// breaks: DCT-0035 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray name = {"ffi.DictErase", 13};
  TVMFFIObjectHandle erase = NULL;
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && args[1].type_index == kTVMFFIStr &&
      real.TVMFFIFunctionGetGlobal(&name, &erase) == 0) {
    real.TVMFFIFunctionCall(erase, (TVMFFIAny*)args, 2, result);
    real.TVMFFIObjectDecRef(erase);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
