// story: A thread other than the first cannot give up the last reference to a tensor.
// breaks: TEN-0038 fail
#include "first_thread.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  const TVMFFIObject* object = obj;
  int is_last = object != NULL && object->type_index == kTVMFFITensor && (uint32_t)object->combined_ref_count == 1;
  return is_last && !is_first_thread() ? 0 : real.TVMFFIObjectDecRef(obj);
}
