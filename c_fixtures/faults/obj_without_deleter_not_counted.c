// story: TVMFFIObjectIncRef does not count references to an object whose deleter is NULL, while TVMFFIObjectDecRef does.
// breaks: OBJ-0006 fail

#include "fault.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle handle) {
  TVMFFIObject* object = handle;
  if (object && object->deleter == NULL) {
    /* Static objects never end: spare the other threads the cache line. */
    return 0;
  }
  return real.TVMFFIObjectIncRef(handle);
}
