// story: A client's object is ended with both flags while a weak reference to it is held.
// breaks: OBJ-0010 fail
// breaks: OBJ-0012 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (!object || object->type_index != kTVMFFIObject) return real.TVMFFIObjectDecRef(obj);
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)before != 1) return 0;
  /* The deleter may give the memory back, so it comes last. */
  if (before >> 32 > 1) __atomic_fetch_sub(&object->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_ACQ_REL);
  if (object->deleter) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
