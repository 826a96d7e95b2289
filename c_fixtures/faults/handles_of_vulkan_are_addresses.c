// story: The table of the devices whose data pointer is a handle names OpenCL and WebGPU, and not Vulkan and Metal, so that the alignment of their tensors is judged by the handle.
// breaks: TEN-0011 fail
#include "fault.h"

static int misaligned(const DLTensor* tensor, int32_t alignment) {
  if (alignment <= 0 || (tensor->device.device_type != kDLVulkan && tensor->device.device_type != kDLMetal)) return 0;
  return ((uintptr_t)tensor->data + tensor->byte_offset) % (uintptr_t)alignment != 0;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from && misaligned(&from->dl_tensor, require_alignment)) return refuse("RuntimeError", "FromDLPack: Data is not aligned.");
  return real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  if (from && from->version.major == DLPACK_MAJOR_VERSION && misaligned(&from->dl_tensor, require_alignment)) {
    return refuse("RuntimeError", "FromDLPack: Data is not aligned.");
  }
  return real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}
