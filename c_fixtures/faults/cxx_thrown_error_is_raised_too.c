// story: What json::Parse throws stays behind as the raised error.
// breaks: CXX-0009 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);

TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);
  function* original = (function*)real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  if (message == NULL) real.TVMFFIErrorSetRaisedFromCStr("ValueError", "no JSON");
  original(result, text, message);
  TVMFFIObjectHandle raised = NULL;
  if (message == NULL) real.TVMFFIErrorMoveFromRaised(&raised);
  if (raised != NULL) real.TVMFFIObjectDecRef(raised);
  return result;
}
