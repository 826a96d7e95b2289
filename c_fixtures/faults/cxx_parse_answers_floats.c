// story: A whole number that json::Parse reads on its own is a float.
// breaks: CXX-0002 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);

TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);
  function* original = (function*)real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  original(result, text, message);
  if (result->type_index == kTVMFFIInt) {
    result->v_float64 = (double)result->v_int64;
    result->type_index = kTVMFFIFloat;
  }
  return result;
}
