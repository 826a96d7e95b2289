// story: ModuleObj::ImportModule takes two references to the import, and gives up one.
// breaks: CXX-0020 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT void _ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE(void* module, const TVMFFIObjectHandle* other);

void _ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE(void* module, const TVMFFIObjectHandle* other) {
  typedef void function(void* module, const TVMFFIObjectHandle* other);
  function* original = (function*)real_cxx("_ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE");
  original(module, other);
  real.TVMFFIObjectIncRef(*other);
}
