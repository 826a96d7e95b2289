// story: TVMFFIObjectIncRef and TVMFFIObjectDecRef take the strong count for one of 32 bits, which carries nothing.
// breaks: SPL-0012 fail
#include "split_fault.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  __atomic_fetch_add((uint32_t*)&((TVMFFIObject*)obj)->strong_ref_count, 1, __ATOMIC_RELAXED);
  return 0;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (__atomic_fetch_sub((uint32_t*)&object->strong_ref_count, 1, __ATOMIC_ACQ_REL) == 1) end_well(object);
  return 0;
}
