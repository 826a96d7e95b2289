// story: A versioned export of a tensor in pinned memory says that it lies on the host.
// breaks: TEN-0021 fail
#include "fault.h"

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0 && (*out)->dl_tensor.device.device_type == kDLCUDAHost) (*out)->dl_tensor.device.device_type = kDLCPU;
  return code;
}
