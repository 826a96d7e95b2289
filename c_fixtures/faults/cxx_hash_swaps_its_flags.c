// story: StructuralHash::Hash takes the flag for free variables for the one for tensors, and the other way round.
// breaks: CXX-0006 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT uint64_t _ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb(const TVMFFIAny* value, bool map_free_vars, bool skip_tensor_content);

uint64_t _ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb(const TVMFFIAny* value, bool map_free_vars, bool skip_tensor_content) {
  typedef uint64_t function(const TVMFFIAny* value, bool map_free_vars, bool skip_tensor_content);
  function* original = (function*)real_cxx("_ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb");
  return original(value, skip_tensor_content, map_free_vars);
}
