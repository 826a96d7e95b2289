// story: TVMFFIObjectDecRef takes the strong count for a signed number, so it ends an object that has more than 2^31 references.
// breaks: OBJ-0030 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (!object) return 0;
  int32_t strong = (int32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
  if (strong >= 1) return real.TVMFFIObjectDecRef(obj);
  __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if (object->deleter) object->deleter(object, 1);
  return 0;
}
