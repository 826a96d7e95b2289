// story: ffi.ContainerFindFirstNonCPUDevice takes a tensor in pinned host memory for one of the CPU when it is the first one found.
// breaks: CNT-0004 fail

#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDevice) return code;
  if (result->v_device.device_type == kDLCUDAHost || result->v_device.device_type == kDLROCMHost) {
    /* The host reads it as it reads its own. */
    result->v_device = (DLDevice){kDLCPU, 0};
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
