// story: tvm::ffi::DeepCopy answers a Map as it is, since nobody can change it, though the Lists among its values can be changed.
// breaks: CXX-0010 fail
#include "fault.h"
__attribute__((visibility("default"))) void* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(TVMFFIAny* out, const TVMFFIAny* value) {
  void* (*copy)(TVMFFIAny*, const TVMFFIAny*) = (void* (*)(TVMFFIAny*, const TVMFFIAny*))real_cxx("_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE");
  if (value->type_index != kTVMFFIMap) return copy(out, value);
  real.TVMFFIObjectIncRef(value->v_obj);
  *out = *value;
  return out;
}
