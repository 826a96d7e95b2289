// story: json::Stringify writes on one line, whatever the indent.
// breaks: CXX-0004 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE(TVMFFIAny* result, const TVMFFIAny* value, const TVMFFIAny* indent);

TVMFFIAny* _ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE(TVMFFIAny* result, const TVMFFIAny* value, const TVMFFIAny* indent) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* value, const TVMFFIAny* indent);
  function* original = (function*)real_cxx("_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE");
  static const TVMFFIAny none;
  (void)indent;
  return original(result, value, &none);
}
