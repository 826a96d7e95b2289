// story: The alignment of pinned and managed memory is not looked at.
// breaks: TEN-0008 fail
#include "fault.h"

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from != NULL && from->dl_tensor.device.device_type >= kDLROCMHost) require_alignment = 0;
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}
