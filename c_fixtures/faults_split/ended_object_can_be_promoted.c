// story: An opaque object that is held weakly has a strong count of 1 when it has ended, so that a client revives it.
// breaks: SPL-0010 fail
// breaks: SPL-0033 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  int revived = object && object->type_index == kTVMFFIOpaquePyObject && !nobody_else(object) &&
                __atomic_load_n(&object->strong_ref_count, __ATOMIC_ACQUIRE) == 1;
  int code = real.TVMFFIObjectDecRef(obj);
  if (revived) __atomic_store_n(&object->strong_ref_count, 1, __ATOMIC_RELEASE);
  return code;
}
