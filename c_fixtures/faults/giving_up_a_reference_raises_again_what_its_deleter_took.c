// story: The last DecRef keeps the raised error aside while the deleter runs, and raises it again though the deleter has taken or replaced it.
// breaks: ERR-0014 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle handle) {
  TVMFFIObjectHandle error = NULL;
  if (handle && (uint32_t)__atomic_load_n(&((TVMFFIObject*)handle)->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error) real.TVMFFIErrorSetRaised(error);
  }
  int code = real.TVMFFIObjectDecRef(handle);
  if (error) {
    real.TVMFFIErrorSetRaised(error);
    real.TVMFFIObjectDecRef(error);
  }
  return code;
}
