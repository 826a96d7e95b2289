// story: A tensor of major version 2 is imported as if it were of version 1.
// breaks: TEN-0043 crash
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from != NULL && from->version.major == 2) from->version.major = 1;
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
