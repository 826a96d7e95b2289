// story: Only tensors whose elements follow each other are imported.
// breaks: TEN-0013 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  require_contiguous = 1;
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}
