// story: ModuleObj::GetFunction does not look into imports, though it is asked to.
// breaks: CXX-0014 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIObjectHandle* _ZN3tvm3ffi9ModuleObj11GetFunctionERKNS0_6StringEb(TVMFFIObjectHandle* result, void* module, const TVMFFIAny* name, bool query_imports);

TVMFFIObjectHandle* _ZN3tvm3ffi9ModuleObj11GetFunctionERKNS0_6StringEb(TVMFFIObjectHandle* result, void* module, const TVMFFIAny* name, bool query_imports) {
  typedef TVMFFIObjectHandle* function(TVMFFIObjectHandle* result, void* module, const TVMFFIAny* name, bool query_imports);
  function* original = (function*)real_cxx("_ZN3tvm3ffi9ModuleObj11GetFunctionERKNS0_6StringEb");
  (void)query_imports;
  return original(result, module, name, false);
}
