// story: ffi.ContainerFindFirstNonCPUDevice takes memory of the host that CUDA or ROCm have pinned for the CPU, where it stands in a Map or a Dict.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (args[0].type_index != kTVMFFIMap && args[0].type_index != kTVMFFIDict)) return code;
  const DLDeviceType type = result->v_device.device_type;
  if (type == kDLCUDAHost || type == kDLROCMHost) result->v_device = (DLDevice){kDLCPU, 0};
  return code;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
