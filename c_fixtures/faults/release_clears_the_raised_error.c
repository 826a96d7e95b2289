// story: Giving up the last reference to an object takes the raised error away.
// breaks: OBJ-0029 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  int last = obj && (uint32_t)((TVMFFIObject*)obj)->combined_ref_count == 1;
  int code = real.TVMFFIObjectDecRef(obj);
  if (last) real.TVMFFIErrorSetRaised(NULL);
  return code;
}
