// story: ffi.ContainerFindFirstNonCPUDevice takes a Tensor in pinned host memory for one on the CPU.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int first(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  if (result->v_device.device_type == kDLCUDAHost || result->v_device.device_type == kDLROCMHost) {
    result->v_device.device_type = kDLCPU;
    result->v_device.device_id = 0;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", first)
