// story: json::Parse of what is no JSON writes an empty message.
// breaks: CXX-0003 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);

TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);
  function* original = (function*)real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  original(result, text, message);
  if (message) {
    if (message->type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(message->v_obj);
    *message = (TVMFFIAny){.type_index = kTVMFFISmallStr};
  }
  return result;
}
