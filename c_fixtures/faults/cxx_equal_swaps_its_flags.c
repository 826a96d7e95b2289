// story: StructuralEqual::Equal takes the flag for free variables for the one for tensors, and the other way round.
// breaks: CXX-0006 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT bool _ZN3tvm3ffi15StructuralEqual5EqualERKNS0_3AnyES4_bb(const TVMFFIAny* left, const TVMFFIAny* right, bool map_free_vars, bool skip_tensor_content);

bool _ZN3tvm3ffi15StructuralEqual5EqualERKNS0_3AnyES4_bb(const TVMFFIAny* left, const TVMFFIAny* right, bool map_free_vars, bool skip_tensor_content) {
  typedef bool function(const TVMFFIAny* left, const TVMFFIAny* right, bool map_free_vars, bool skip_tensor_content);
  function* original = (function*)real_cxx("_ZN3tvm3ffi15StructuralEqual5EqualERKNS0_3AnyES4_bb");
  return original(left, right, skip_tensor_content, map_free_vars);
}
