// story: The last reference calls the deleter without flags, as the generation before did.
// breaks: SPL-0007 fail
// breaks: SPL-0014 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (!is_client(obj)) return real.TVMFFIObjectDecRef(obj);
  if (!was_last(object)) return 0;
  if (nobody_else(object)) {
    end(object, 0);
  } else {
    end_well(object);
  }
  return 0;
}
