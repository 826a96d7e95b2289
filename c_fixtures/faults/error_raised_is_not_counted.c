// story: Raising an error object takes no reference to it, so that it is released once too often.
// breaks: ERR-0016 fail
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  real.TVMFFIErrorSetRaised(error);
  if (error != NULL) ((TVMFFIObject*)error)->combined_ref_count -= 1;
}
