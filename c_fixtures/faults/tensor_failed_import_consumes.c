// story: An import that fails gives the tensor back to its producer, though it still is the caller's.
// breaks: TEN-0016 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code != 0 && from != NULL && from->deleter != NULL) from->deleter(from);
  return code;
}
