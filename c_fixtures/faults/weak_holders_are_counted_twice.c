// story: TVMFFIObjectIncRef adds a weak reference as well when somebody holds a weak one already.
// breaks: OBJ-0006 fail
#include "fault.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  uint64_t one = object && object->combined_ref_count >> 32 > 1 ? (uint64_t)1 << 32 : 0;
  int code = real.TVMFFIObjectIncRef(obj);
  if (one) __atomic_fetch_add(&object->combined_ref_count, one, __ATOMIC_RELAXED);
  return code;
}
