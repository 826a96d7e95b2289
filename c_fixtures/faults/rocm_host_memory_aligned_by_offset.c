// story: The alignment of a tensor in pinned memory of ROCm is judged by its byte offset alone, as if the memory were a device's.
// breaks: TEN-0008 fail
// breaks: TEN-0009 fail
#include "fault.h"

static int misaligned(const DLTensor* tensor, int32_t* alignment) {
  if (tensor->device.device_type != kDLROCMHost || *alignment <= 0) return 0;
  int refused = tensor->byte_offset % (uint32_t)*alignment != 0;
  *alignment = 0;
  return refused;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  if (from && misaligned(&from->dl_tensor, &require_alignment)) return refuse("RuntimeError", "Data is not aligned");
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from && from->version.major == 1 && misaligned(&from->dl_tensor, &require_alignment)) {
    return refuse("RuntimeError", "Data is not aligned");
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
