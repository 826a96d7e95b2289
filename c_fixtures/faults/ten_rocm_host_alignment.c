// story: TVMFFITensorFromDLPackVersioned judges the alignment in pinned memory of ROCm by the byte offset alone.
// breaks: TEN-0008 fail
#include "fault.h"
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  if (from && from->version.major == 1 && from->dl_tensor.device.device_type == kDLROCMHost && alignment > 0 && from->dl_tensor.byte_offset % (uint64_t)alignment == 0) alignment = 0;
  return real.TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
}
