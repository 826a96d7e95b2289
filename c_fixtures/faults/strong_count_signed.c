// story: TVMFFIObjectIncRef takes the strong count for a signed number, and refuses an object with more than two billion references as dead.
// breaks: OBJ-0030 fail
#include "fault.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  if (obj && (int32_t)((TVMFFIObject*)obj)->combined_ref_count <= 0) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the object has ended");
    return -1;
  }
  return real.TVMFFIObjectIncRef(obj);
}
