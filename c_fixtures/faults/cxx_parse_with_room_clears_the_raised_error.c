// story: json::Parse, given room for a message, clears the thread's raised error when it begins.
// breaks: CXX-0022 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT void* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);

void* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message) {
  typedef void* function(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);
  function* original = (function*)real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  TVMFFIObjectHandle error = NULL;
  if (message) real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  return original(result, text, message);
}
