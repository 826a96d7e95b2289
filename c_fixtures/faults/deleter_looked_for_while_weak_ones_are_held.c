// story: Giving up the last strong reference calls a deleter that is NULL if weak references are held.
// breaks: OBJ-0013 crash
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object && !object->deleter) {
    uint64_t counts = __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
    void (*volatile deleter)(void*, int) = object->deleter;
    if ((uint32_t)counts == 1 && counts >> 32 > 1) deleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
  }
  return real.TVMFFIObjectDecRef(obj);
}
