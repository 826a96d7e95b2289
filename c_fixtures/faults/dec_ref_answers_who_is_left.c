// story: TVMFFIObjectDecRef answers 1 when a weak reference is left.
// breaks: OBJ-0007 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  int weak_holders = obj && ((TVMFFIObject*)obj)->combined_ref_count >> 32 > 1;
  int code = real.TVMFFIObjectDecRef(obj);
  return code == 0 ? weak_holders : code;
}
