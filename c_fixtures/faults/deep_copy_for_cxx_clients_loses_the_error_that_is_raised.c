// story: tvm::ffi::DeepCopy of a container clears the thread's raised error when it is done, as if it had been its own.
// breaks: CXX-0022 fail
#include "fault.h"

__attribute__((visibility("default"))) void* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(void* result, const TVMFFIAny* value) {
  void* (*copy)(void*, const TVMFFIAny*) = (void* (*)(void*, const TVMFFIAny*))real_cxx("_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE");
  void* answer = copy(result, value);
  TVMFFIObjectHandle error = NULL;
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  return answer;
}
