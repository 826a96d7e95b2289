// story: ffi.ContainerFindFirstNonCPUDevice looks into Arrays, Lists and Maps within a sequence, but not into Dicts.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList))
    return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  for (int64_t i = 0; i < cell->size; i++) {
    const TVMFFIAny* element = (const TVMFFIAny*)cell->data + i;
    if (element->type_index == kTVMFFIDict || element->v_obj == args[0].v_obj) continue;
    if (element->type_index != kTVMFFITensor && element->type_index != kTVMFFIArray &&
        element->type_index != kTVMFFIList && element->type_index != kTVMFFIMap)
      continue;
    TVMFFIAny one[1] = {*element}, alone = {0};
    if (element->type_index == kTVMFFITensor) {
      DLTensor* tensor = (DLTensor*)(element->v_obj + 1);
      alone = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = tensor->device};
    } else {
      int code = call_original(original, one, 1, &alone);
      if (code != 0) return code;
    }
    if (alone.v_device.device_type != kDLCPU) {
      *result = alone;
      return 0;
    }
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = {kDLCPU, 0}};
  return 0;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
