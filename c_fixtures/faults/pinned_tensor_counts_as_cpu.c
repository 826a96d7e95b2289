// story: The search for a tensor that is not on the CPU answers the CPU when it comes to one in pinned memory, as this is memory of the host.
// breaks: CNT-0004 fail
#include "wrapped_global.h"
static int find(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code == 0 && (result->v_device.device_type == kDLCUDAHost || result->v_device.device_type == kDLROCMHost)) {
    result->v_device = (DLDevice){kDLCPU, 0};
  }
  return code;
}
WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
