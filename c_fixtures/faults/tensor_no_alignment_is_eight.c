// story: An alignment of zero stands for one of eight bytes.
// breaks: TEN-0010 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (require_alignment == 0 && from != NULL && from->dl_tensor.device.device_type == kDLCPU) require_alignment = 8;
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}
