// story: A managed tensor without a deleter is refused.
// breaks: TEN-0018 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from != NULL && from->deleter == NULL) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "no deleter");
    return -1;
  }
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}
