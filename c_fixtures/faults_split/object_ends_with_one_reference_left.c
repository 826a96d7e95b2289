// story: TVMFFIObjectDecRef calls the deleter when one of three references is given up.
// breaks: SPL-0006 fail
// breaks: SPL-0014 fail
// breaks: SPL-0015 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  int early = is_client(obj) && __atomic_load_n(&object->strong_ref_count, __ATOMIC_ACQUIRE) == 3;
  int code = real.TVMFFIObjectDecRef(obj);
  if (early && nobody_else(object)) end(object, 1);
  return code;
}
