// story: ffi.ContainerFindFirstNonCPUDevice looks into Arrays and Lists inside of an Array or a List, but not into Maps and Dicts there.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int search(const TVMFFIAny* value, int depth, DLDevice* device) {
  if (depth > 100) return -1;
  TVMFFISeqCell* cell = sequence_cell(value);
  TVMFFIAny* items = cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index == kTVMFFITensor) {
      DLTensor* tensor = (DLTensor*)(items[i].v_obj + 1);
      if (tensor->device.device_type != kDLCPU) {
        *device = tensor->device;
        return 1;
      }
    } else if (items[i].type_index == kTVMFFIArray || items[i].type_index == kTVMFFIList) {
      int found = search(&items[i], depth + 1, device);
      if (found != 0) return found;
    }
  }
  return 0;
}

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && (args[0].type_index == kTVMFFIArray || args[0].type_index == kTVMFFIList)) {
    DLDevice device = {kDLCPU, 0};
    if (search(&args[0], 0, &device) >= 0) {
      memset(result, 0, sizeof *result);
      result->type_index = kTVMFFIDevice;
      result->v_device = device;
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
