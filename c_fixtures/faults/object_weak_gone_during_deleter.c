// story: TVMFFIObjectDecRef decides before it calls the deleter whether weak references remain, so memory is not freed when the deleter gives up the last weak one.
// breaks: OBJ-0012 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!obj) return 0;
  TVMFFIObject* object = obj;
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if (before == 0x100000001ull) {
    if (object->deleter) object->deleter(object, 3);
  } else if ((uint32_t)before == 1) {
    int others = (before >> 32) > 1;
    if (object->deleter) object->deleter(object, 1);
    __atomic_fetch_sub(&object->combined_ref_count, 1ull << 32, __ATOMIC_ACQ_REL);
    if (!others && object->deleter) object->deleter(object, 2);
  }
  return 0;
}
