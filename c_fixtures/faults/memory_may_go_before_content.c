// story: The weak reference that strong ones share is given up before the deleter ends the content, not after.
// breaks: OBJ-0011 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  const uint64_t one_weak = (uint64_t)1 << 32;
  TVMFFIObject* object = obj;
  if (!object || (uint32_t)object->combined_ref_count != 1 || object->combined_ref_count >> 32 == 1) {
    return real.TVMFFIObjectDecRef(obj);
  }
  __atomic_fetch_sub(&object->combined_ref_count, 1 + one_weak, __ATOMIC_ACQ_REL);
  if (object->deleter) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  return 0;
}
