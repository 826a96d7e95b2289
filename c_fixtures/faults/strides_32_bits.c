// story: The strides that a tensor gets when it has none are computed with 32 bits.
// breaks: TEN-0005 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0 && from->dl_tensor.strides == NULL) {
    DLTensor* tensor = (DLTensor*)((TVMFFIObject*)*out + 1);
    for (int i = 0; i < tensor->ndim; i++) tensor->strides[i] = (int32_t)tensor->strides[i];
  }
  return code;
}
