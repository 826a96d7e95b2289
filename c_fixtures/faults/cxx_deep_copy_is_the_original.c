// story: DeepCopy answers a further reference to the value.
// breaks: CXX-0010 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(TVMFFIAny* result, const TVMFFIAny* value);

TVMFFIAny* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(TVMFFIAny* result, const TVMFFIAny* value) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* value);
  function* original = (function*)real_cxx("_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE");
  (void)original;
  *result = *value;
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(value->v_obj);
  return result;
}
