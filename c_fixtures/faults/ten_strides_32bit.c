// story: The row-major strides that an import makes up are counted in 32 bits and wrap round in large tensors.
// breaks: TEN-0005 fail
#include "fault.h"
int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int missing = from && from->dl_tensor.ndim > 0 && !from->dl_tensor.strides;
  int code = real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
  if (code == 0 && missing) {
    DLTensor* tensor = (DLTensor*)((TVMFFIObject*)*out + 1);
    uint32_t stride = 1;
    for (int32_t i = tensor->ndim - 1; i >= 0; --i) {
      tensor->strides[i] = (int32_t)stride;
      stride *= (uint32_t)tensor->shape[i];
    }
  }
  return code;
}
