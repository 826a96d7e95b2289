// story: A key that no type has is answered with the index of ffi.Object.
// breaks: TYP-0008 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  TVMFFIObjectHandle error = NULL;
  if (type_key == NULL || out_tindex == NULL) return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (real.TVMFFITypeKeyToIndex(type_key, out_tindex) == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  *out_tindex = kTVMFFIObject;
  return 0;
}
