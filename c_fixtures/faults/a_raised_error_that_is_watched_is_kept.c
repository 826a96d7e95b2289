// story: The error that another one replaces is given up only if nobody holds a weak reference to it.
// breaks: ERR-0018 fail
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  TVMFFIObjectHandle before = NULL;
  real.TVMFFIErrorMoveFromRaised(&before);
  real.TVMFFIErrorSetRaised(error);
  if (!before) return;
  if (__atomic_load_n(&((TVMFFIObject*)before)->combined_ref_count, __ATOMIC_ACQUIRE) >> 32 > 1) return;
  real.TVMFFIObjectDecRef(before);
}
