// story: A tensor without dimensions is refused when its shape is NULL.
// breaks: TEN-0006 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from != NULL && from->dl_tensor.shape == NULL) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "no shape");
    return -1;
  }
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}
