// story: The last reference to an object is given up with the raised error put aside, which is raised again with one reference too many.
// breaks: ERR-0022 fail

#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle handle) {
  TVMFFIObject* object = handle;
  if (!object || (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED) != 1) {
    return real.TVMFFIObjectDecRef(handle);
  }
  TVMFFIObjectHandle pending = NULL;
  real.TVMFFIErrorMoveFromRaised(&pending); /* the deleter may raise and take errors of its own */
  int code = real.TVMFFIObjectDecRef(handle);
  if (pending) real.TVMFFIErrorSetRaised(pending);
  return code;
}
