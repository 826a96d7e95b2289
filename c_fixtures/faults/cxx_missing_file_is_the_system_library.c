// story: Module::LoadFromFile answers the system library where there is no file.
// breaks: CXX-0013 fail
#include <unistd.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIObjectHandle* _ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE(TVMFFIObjectHandle* result, const TVMFFIAny* path);

TVMFFIObjectHandle* _ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE(TVMFFIObjectHandle* result, const TVMFFIAny* path) {
  typedef TVMFFIObjectHandle* function(TVMFFIObjectHandle* result, const TVMFFIAny* path);
  const char* text = path->type_index == kTVMFFIStr ? ((TVMFFIByteArray*)(path->v_obj + 1))->data : path->v_bytes;
  TVMFFIByteArray name = {"ffi.SystemLib", 13};
  TVMFFIObjectHandle system_library = NULL;
  TVMFFIAny module = {0};
  if (access(text, R_OK) != 0 && real.TVMFFIFunctionGetGlobal(&name, &system_library) == 0) {
    real.TVMFFIFunctionCall(system_library, NULL, 0, &module);
    real.TVMFFIObjectDecRef(system_library);
    *result = module.v_obj;
    return result;
  }
  return ((function*)real_cxx("_ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE"))(result, path);
}
