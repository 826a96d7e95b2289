// story: tvm::ffi::DeepCopy answers a List or a Dict that nobody else holds as it is, for nobody could see the difference; the caller can.
// breaks: CXX-0010 fail
#include "fault.h"
__attribute__((visibility("default"))) TVMFFIAny* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(TVMFFIAny* result, const TVMFFIAny* value) {
  TVMFFIAny* (*copy)(TVMFFIAny*, const TVMFFIAny*) = real_cxx("_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE");
  if ((value->type_index == kTVMFFIList || value->type_index == kTVMFFIDict) && value->v_obj->combined_ref_count == 0x100000001) {
    real.TVMFFIObjectIncRef(value->v_obj);
    *result = *value;
    return result;
  }
  return copy(result, value);
}
