// story: The last weak reference that is given up while the deleter runs with the flag 1 goes unnoticed: the memory is never freed.
// breaks: OBJ-0012 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (!object) return 0;
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)before != 1) return 0;
  if (before == 0x100000001) {
    if (object->deleter) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  if (object->deleter) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  __atomic_fetch_sub(&object->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_ACQ_REL);
  return 0;
}
