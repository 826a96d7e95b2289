// story: VisitErrorContext::FindAccessPaths answers paths of the beginning of a pattern, too, when only whole ones are asked for.
// breaks: CXX-0012 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIObjectHandle* _ZN3tvm3ffi17VisitErrorContext15FindAccessPathsERKNS0_9ObjectRefERKS1_b(TVMFFIObjectHandle* result, const TVMFFIObjectHandle* root, const TVMFFIObjectHandle* context, bool allow_prefix_match);

TVMFFIObjectHandle* _ZN3tvm3ffi17VisitErrorContext15FindAccessPathsERKNS0_9ObjectRefERKS1_b(TVMFFIObjectHandle* result, const TVMFFIObjectHandle* root, const TVMFFIObjectHandle* context, bool allow_prefix_match) {
  typedef TVMFFIObjectHandle* function(TVMFFIObjectHandle* result, const TVMFFIObjectHandle* root, const TVMFFIObjectHandle* context, bool allow_prefix_match);
  function* original = (function*)real_cxx("_ZN3tvm3ffi17VisitErrorContext15FindAccessPathsERKNS0_9ObjectRefERKS1_b");
  (void)allow_prefix_match;
  return original(result, root, context, true);
}
