// story: The import of a versioned tensor counts the strides that it expects in 32 bits, and refuses a contiguous tensor with one of 2^31 and more.
// breaks: TEN-0012 fail
#include "fault.h"
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  const DLTensor* t = from && from->version.major == 1 ? &from->dl_tensor : NULL;
  if (require_contiguous && t && t->strides) {
    int32_t expected = 1;
    int64_t whole = 1, size = 1;
    int right = 1, wrong = 0;
    for (int32_t i = t->ndim - 1; i >= 0; --i) {
      if (t->shape[i] != 1) {
        right &= t->strides[i] == whole;
        wrong |= t->strides[i] != expected;
      }
      whole *= t->shape[i];
      size *= t->shape[i];
      expected = (int32_t)((uint32_t)expected * (uint32_t)t->shape[i]);
    }
    if (right && wrong && size != 0) return refuse("RuntimeError", "FromDLPack: Tensor is not contiguous.");
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
