// story: A versioned export of a tensor without elements has an address for its data, which is no memory of the tensor's.
// breaks: TEN-0049 fail
#include "fault.h"
int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  const DLTensor* tensor = (const DLTensor*)((const TVMFFIObject*)from + 1);
  for (int32_t i = 0; code == 0 && i < tensor->ndim; ++i) {
    if (tensor->shape[i] == 0) __atomic_store_n(&(*out)->dl_tensor.data, tensor->data, __ATOMIC_RELAXED);
  }
  return code;
}
