// story: ffi.ContainerFindFirstNonCPUDevice takes a tensor in pinned host memory (kDLCUDAHost) for one of the CPU and goes on to the next.
// breaks: CNT-0004 fail
#include "map_entries.h"
#include "wrapped_global.h"
static int found(const TVMFFIAny* value, int depth, DLDevice* device) {
  if (value->type_index == kTVMFFITensor) {
    const DLTensor* tensor = (const DLTensor*)(value->v_obj + 1);
    if (tensor->device.device_type == kDLCPU || tensor->device.device_type == kDLCUDAHost) return 0;
    *device = tensor->device;
    return 1;
  }
  if (depth == 0) return 0;
  if (value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList) {
    const TVMFFIAny* items = sequence_cell(value)->data;
    for (int64_t i = 0; i < sequence_cell(value)->size; ++i) {
      if (found(&items[i], depth - 1, device)) return 1;
    }
  } else if (value->type_index == kTVMFFIMap || value->type_index == kTVMFFIDict) {
    for (TVMFFIAny* entry = first_entry(value); entry; entry = next_entry(value, entry)) {
      if (found(&entry[1], depth - 1, device)) return 1;
    }
  }
  return 0;
}
static int first_device(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDevice || result->v_device.device_type != kDLCUDAHost) return code;
  DLDevice device = {kDLCPU, 0};
  found(&args[0], 32, &device);
  result->v_device = device;
  return 0;
}
WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", first_device)
