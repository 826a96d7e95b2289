// story: TVMFFIObjectDecRef looks at sixteen bits of the weak count: with 65536 weak references held, the last strong one destroys and frees the object at once.
// breaks: OBJ-0010 fail
#include "fault.h"
int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object) {
    const uint64_t count = __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
    if ((uint32_t)count == 1 && count >> 32 > 1 && (uint16_t)(count >> 32) == 1) {
      __atomic_store_n(&object->combined_ref_count, 0, __ATOMIC_RELEASE);
      if (object->deleter) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
      return 0;
    }
  }
  return real.TVMFFIObjectDecRef(obj);
}
