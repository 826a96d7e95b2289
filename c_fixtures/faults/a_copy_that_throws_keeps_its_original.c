// story: tvm::ffi::DeepCopy holds a reference to what it copies and gives it up when it returns, but not when it throws.
// breaks: CXX-0008 fail
#include "fault.h"

__attribute__((visibility("default"))) void* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(void* out, const TVMFFIAny* value) {
  void* (*copy)(void*, const TVMFFIAny*) = (void* (*)(void*, const TVMFFIAny*))real_cxx("_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE");
  TVMFFIObject* held = value->type_index >= kTVMFFIStaticObjectBegin ? value->v_obj : NULL;
  if (held) real.TVMFFIObjectIncRef(held);
  void* answer = copy(out, value);
  if (held) real.TVMFFIObjectDecRef(held);
  return answer;
}
