// story: A lookup of a type that fails does not raise its error when another is raised already.
// breaks: ERR-0035 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  TVMFFIObjectHandle earlier = NULL;
  real.TVMFFIErrorMoveFromRaised(&earlier);
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (earlier) {
    real.TVMFFIErrorSetRaised(earlier);
    real.TVMFFIObjectDecRef(earlier);
  }
  return code;
}
