// story: A tensor without elements is judged by its strides like any other.
// breaks: TEN-0015 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from != NULL && require_contiguous && from->dl_tensor.strides != NULL) {
    int64_t expected = 1;
    for (int i = from->dl_tensor.ndim - 1; i >= 0; --i) {
      if (from->dl_tensor.shape[i] != 1 && from->dl_tensor.strides[i] != expected) {
        real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the tensor is not contiguous");
        return -1;
      }
      expected = (int64_t)((uint64_t)expected * (uint64_t)from->dl_tensor.shape[i]);
    }
  }
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}
