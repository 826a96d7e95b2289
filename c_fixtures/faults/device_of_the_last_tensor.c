// story: Among the elements of an Array the last device counts, not the first.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIArray) return code;
  const TVMFFIAny* items = sequence_cell(args)->data;
  for (int64_t i = 0; i < sequence_cell(args)->size; ++i) {
    if (items[i].type_index != kTVMFFITensor) continue;
    const DLTensor* tensor = (const DLTensor*)(items[i].v_obj + 1);
    if (tensor->device.device_type != kDLCPU) result->v_device = tensor->device;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
