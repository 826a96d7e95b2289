// story: TVMFFIObjectDecRef calls a deleter that is NULL.
// breaks: SPL-0013 crash
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object->deleter) return real.TVMFFIObjectDecRef(obj);
  if (was_last(object)) object->deleter(object, 3);
  return 0;
}
