// story: json::Stringify as headers before 0.1.13 declare it writes on one line, whatever the indent.
// breaks: CXX-0023 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE(TVMFFIAny* result, const TVMFFIAny* value, const int32_t* indent);

TVMFFIAny* _ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE(TVMFFIAny* result, const TVMFFIAny* value, const int32_t* indent) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* value, const int32_t* indent);
  function* original = (function*)real_cxx("_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE");
  /* A number, and whether there is one. */
  static const int32_t none[2];
  (void)indent;
  return original(result, value, none);
}
