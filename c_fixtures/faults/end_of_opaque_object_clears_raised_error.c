// story: Whatever is raised when an opaque object has ended is cleared, for it might be an error of the frontend's deleter.
// breaks: OBJ-0029 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  int last = object && object->type_index == kTVMFFIOpaquePyObject && object->deleter &&
             (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) == 1;
  int code = real.TVMFFIObjectDecRef(obj);
  if (last) real.TVMFFIErrorSetRaised(NULL);
  return code;
}
