// story: An import looks at the first byte of the data, on whatever device it lies.
// breaks: TEN-0029 crash
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0 && from->dl_tensor.device.device_type == kDLCUDA) (void)*(volatile char*)from->dl_tensor.data;
  return code;
}
