// story: ToJSONGraph leaves its metadata out.
// breaks: CXX-0005 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_(TVMFFIAny* result, const TVMFFIAny* value, const TVMFFIAny* metadata);

TVMFFIAny* _ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_(TVMFFIAny* result, const TVMFFIAny* value, const TVMFFIAny* metadata) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* value, const TVMFFIAny* metadata);
  function* original = (function*)real_cxx("_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_");
  static const TVMFFIAny none;
  (void)metadata;
  return original(result, value, &none);
}
