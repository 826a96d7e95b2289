// story: Strides that a DLManagedTensor leaves out are filled in as a Fortran compiler would.
// breaks: TEN-0005 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code != 0 || from->dl_tensor.strides != NULL) return code;
  DLTensor* tensor = (DLTensor*)((char*)*out + sizeof(TVMFFIObject));
  int64_t stride = 1;
  for (int32_t i = 0; i < tensor->ndim; ++i) {
    tensor->strides[i] = stride;
    stride *= tensor->shape[i];
  }
  return code;
}
