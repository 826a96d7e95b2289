// story: A tensor with an extent of zero is refused as not contiguous if its strides are not those of a row-major tensor.
// breaks: TEN-0015 fail
#include "fault.h"

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  if (from && require_contiguous && from->dl_tensor.strides) {
    const DLTensor* tensor = &from->dl_tensor;
    int64_t expected = 1;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
      if (tensor->shape[i] != 1 && tensor->strides[i] != expected) {
        real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "FromDLPack: Tensor is not contiguous.");
        return -1;
      }
      expected *= tensor->shape[i];
    }
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
