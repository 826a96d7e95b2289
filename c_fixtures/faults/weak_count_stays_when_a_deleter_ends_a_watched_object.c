// story: Which object is ending is kept per thread, so one whose deleter ends another watched object never gives up its shared weak reference.
// breaks: OBJ-0010 fail
#include "fault.h"

static __thread TVMFFIObject* ending;

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (!object) return 0;
  const uint64_t weak_one = 1ULL << 32;
  const uint64_t old = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)old != 1) return 0;
  if (!object->deleter) return 0;
  if (old == (weak_one | 1)) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  ending = object;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object = ending;
  ending = NULL;
  if (!object) return 0;
  if (__atomic_fetch_sub(&object->combined_ref_count, weak_one, __ATOMIC_ACQ_REL) == weak_one) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
  return 0;
}

