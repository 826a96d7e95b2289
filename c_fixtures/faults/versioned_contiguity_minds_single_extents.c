// story: The check of contiguity of versioned tensors compares the strides of dimensions with one element, too.
// breaks: TEN-0014 fail
#include "fault.h"
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  if (from && from->version.major == 1 && contiguous && from->dl_tensor.strides) {
    const DLTensor* t = &from->dl_tensor;
    int64_t expected = 1, empty = 0;
    for (int i = 0; i < t->ndim; ++i) empty |= t->shape[i] == 0;
    for (int i = t->ndim - 1; i >= 0 && !empty; --i) {
      if (t->strides[i] != expected) return refuse("RuntimeError", "FromDLPack: Tensor is not contiguous.");
      expected *= t->shape[i];
    }
  }
  return real.TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
}
