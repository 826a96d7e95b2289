// story: TVMFFITypeKeyToIndex takes the raised error that nobody else holds for that of the call before, where a weak reference to it is left, and raises it again.
// breaks: ERR-0018 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  TVMFFIObjectHandle former = NULL;
  real.TVMFFIErrorMoveFromRaised(&former);
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (!former) return code;
  uint64_t count = __atomic_load_n(&((TVMFFIObject*)former)->combined_ref_count, __ATOMIC_ACQUIRE);
  if (code == 0 || ((uint32_t)count == 1 && count >> 32 > 1)) real.TVMFFIErrorSetRaised(former);
  real.TVMFFIObjectDecRef(former);
  return code;
}
