// story: A versioned tensor of an earlier minor version is refused.
// breaks: TEN-0027 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from != NULL && from->version.major == 1 && from->version.minor == 0) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "version 1.0 is too old");
    return -1;
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
