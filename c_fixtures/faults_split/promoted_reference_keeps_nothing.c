// story: An object that is held weakly ends although a strong reference that was made of a weak one is left.
// breaks: SPL-0033 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  int early = is_client(obj) && !nobody_else(object) && __atomic_load_n(&object->strong_ref_count, __ATOMIC_ACQUIRE) == 2;
  int code = real.TVMFFIObjectDecRef(obj);
  if (early) end(object, 1);
  return code;
}
