// story: The C++ function DeepCopy answers a List or a Dict without elements as it is, for there is nothing in it to copy.
// breaks: CXX-0010 fail
#include "fault.h"

void* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(TVMFFIAny* result, const TVMFFIAny* value);

__attribute__((visibility("default"))) void* _ZN3tvm3ffi8DeepCopyERKNS0_3AnyE(TVMFFIAny* result, const TVMFFIAny* value) {
  void* (*copy)(TVMFFIAny*, const TVMFFIAny*) = (void* (*)(TVMFFIAny*, const TVMFFIAny*))real_cxx("_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE");
  const int is_container = value->type_index == kTVMFFIList || value->type_index == kTVMFFIDict;
  /* The number of elements is in the same place in both. */
  if (!is_container || ((const uint64_t*)(value->v_obj + 1))[1] > 0) return copy(result, value);
  real.TVMFFIObjectIncRef(value->v_obj);
  *result = *value;
  return result;
}

