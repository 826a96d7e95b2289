// story: The two counts of a String have changed places: TVMFFIObjectIncRef and TVMFFIObjectDecRef count at byte 4.
// breaks: SPL-0002 fail
#include "split_fault.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  if (((TVMFFIObject*)obj)->type_index != kTVMFFIStr) return real.TVMFFIObjectIncRef(obj);
  __atomic_fetch_add(&((TVMFFIObject*)obj)->weak_ref_count, 1, __ATOMIC_RELAXED);
  return 0;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object->type_index != kTVMFFIStr || nobody_else(object)) return real.TVMFFIObjectDecRef(obj);
  was_last_weak(object);
  return 0;
}
