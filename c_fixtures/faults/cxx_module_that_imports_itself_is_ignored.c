// story: ModuleObj::ImportModule of the module itself does nothing, and says nothing.
// breaks: CXX-0015 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT void _ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE(char* module, const TVMFFIObjectHandle* other);

void _ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE(char* module, const TVMFFIObjectHandle* other) {
  typedef void function(char* module, const TVMFFIObjectHandle* other);
  function* original = (function*)real_cxx("_ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE");
  if ((char*)*other != module + sizeof(void*)) original(module, other);
}
