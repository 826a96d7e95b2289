// story: The test for contiguity goes from the last dimension to the first and ends at a stride that does not fit, before it meets the extent of zero in front.
// breaks: TEN-0015 fail
#include "fault.h"

static int fits(const DLTensor* tensor) {
  int64_t expected = 1, empty = 0;
  for (int32_t i = 0; i < tensor->ndim; ++i) empty |= tensor->shape[i] == 0;
  if (!empty || !tensor->strides) return 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->shape[i] == 0) return 1;
    if (tensor->shape[i] != 1 && tensor->strides[i] != expected) return 0;
    expected *= tensor->shape[i];
  }
  return 1;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from && out && require_contiguous && !fits(&from->dl_tensor)) return refuse("RuntimeError", "FromDLPack: Tensor is not contiguous.");
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  if (from && out && from->version.major == 1 && require_contiguous && !fits(&from->dl_tensor)) {
    return refuse("RuntimeError", "FromDLPack: Tensor is not contiguous.");
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
