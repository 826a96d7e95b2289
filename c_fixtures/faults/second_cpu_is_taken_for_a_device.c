// story: ffi.ContainerFindFirstNonCPUDevice compares whole devices with device 0 of the CPU: a tensor on another number of the CPU is found.
// breaks: CNT-0004 fail
#include "wrapped_global.h"
static int find_device(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && (args[0].type_index == kTVMFFIArray || args[0].type_index == kTVMFFIList)) {
    const TVMFFISeqCell* cell = sequence_cell(&args[0]);
    for (int64_t i = 0; i < cell->size; ++i) {
      const TVMFFIAny* element = (TVMFFIAny*)cell->data + i;
      if (element->type_index != kTVMFFITensor) break;
      DLDevice device = ((DLTensor*)(element->v_obj + 1))->device;
      if (device.device_type != kDLCPU) break;
      if (device.device_id == 0) continue;
      *result = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = device};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find_device)
