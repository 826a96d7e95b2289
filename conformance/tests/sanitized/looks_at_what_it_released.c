// story: DecRef looks at the object after its last reference is gone.
// breaks: OBJ-0007 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  int code = real.TVMFFIObjectDecRef(obj);
  if (code == 0 && ((volatile TVMFFIObject*)obj)->type_index < 0) return -1;
  return code;
}
