// story: StructuralEqual::GetFirstMismatch answers the path on the right first.
// breaks: CXX-0007 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIObjectHandle* _ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb(TVMFFIObjectHandle* result, const TVMFFIAny* left, const TVMFFIAny* right, bool map_free_vars, bool skip_tensor_content);

TVMFFIObjectHandle* _ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb(TVMFFIObjectHandle* result, const TVMFFIAny* left, const TVMFFIAny* right, bool map_free_vars, bool skip_tensor_content) {
  typedef TVMFFIObjectHandle* function(TVMFFIObjectHandle* result, const TVMFFIAny* left, const TVMFFIAny* right, bool map_free_vars, bool skip_tensor_content);
  function* original = (function*)real_cxx("_ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb");
  return original(result, right, left, map_free_vars, skip_tensor_content);
}
