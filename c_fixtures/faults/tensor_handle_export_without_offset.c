// story: TVMFFITensorToDLPackVersioned exports a tensor on a device whose data is a handle, such as OpenCL, with a byte offset of zero.
// breaks: TEN-0021 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code != 0) return code;
  DLTensor* tensor = &(*out)->dl_tensor;
  int32_t type = tensor->device.device_type;
  if (type == kDLOpenCL || type == kDLVulkan || type == kDLMetal) tensor->byte_offset = 0;
  return 0;
}
