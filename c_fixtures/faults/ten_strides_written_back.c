// story: TVMFFITensorFromDLPack writes the strides that it makes into the managed tensor too: its producer finds at the end what it has not left there.
// breaks: TEN-0017 fail

#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
  if (code != 0) return code;
  const DLTensor* tensor = (const DLTensor*)((TVMFFIObject*)*out + 1);
  if (from->dl_tensor.strides == NULL && tensor->ndim > 0) {
    /* whoever still looks at it finds strides as well */
    from->dl_tensor.strides = tensor->strides;
  }
  return 0;
}
