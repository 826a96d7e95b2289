// story: Whether the elements of a tensor follow each other is judged with 32 bits.
// breaks: TEN-0012 fail
#include "fault.h"

static int follow_each_other(const DLTensor* tensor) {
  int32_t expected = 1;
  if (tensor->strides == NULL) return 1;
  for (int i = 0; i < tensor->ndim; ++i) {
    if (tensor->shape[i] == 0) return 1;
  }
  for (int i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->shape[i] == 1) continue;
    if ((int32_t)tensor->strides[i] != expected) return 0;
    expected = (int32_t)((uint32_t)expected * (uint32_t)tensor->shape[i]);
  }
  return 1;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from != NULL && require_contiguous && follow_each_other(&from->dl_tensor)) require_contiguous = 0;
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}
