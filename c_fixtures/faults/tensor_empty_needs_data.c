// story: A tensor without data is refused, though it has no elements.
// breaks: TEN-0007 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from != NULL && from->version.major == 1 && from->dl_tensor.data == NULL) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "no data");
    return -1;
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
