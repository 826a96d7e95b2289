// story: StructuralHash::Hash keeps a reference to the value.
// breaks: CXX-0008 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT uint64_t _ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb(const TVMFFIAny* value, bool map_free_vars, bool skip_tensor_content);

uint64_t _ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb(const TVMFFIAny* value, bool map_free_vars, bool skip_tensor_content) {
  typedef uint64_t function(const TVMFFIAny* value, bool map_free_vars, bool skip_tensor_content);
  function* original = (function*)real_cxx("_ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb");
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(value->v_obj);
  return original(value, map_free_vars, skip_tensor_content);
}
