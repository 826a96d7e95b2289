// story: An import writes the strides that were left out into the managed tensor of the producer.
// breaks: TEN-0017 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0) from->dl_tensor.strides = ((DLTensor*)((TVMFFIObject*)*out + 1))->strides;
  return code;
}
