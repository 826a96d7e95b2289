// story: ffi.ContainerFindFirstNonCPUDevice takes pinned host memory of ROCm for the CPU.
// breaks: CNT-0004 fail
#include "wrapped_global.h"
static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIDevice && result->v_device.device_type == kDLROCMHost) result->v_device = (DLDevice){kDLCPU, 0};
  return code;
}
WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
