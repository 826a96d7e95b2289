// story: ffi.ContainerFindFirstNonCPUDevice does not look into a Dict that is an element of an Array or a List.
// breaks: CNT-0004 fail
#include "wrapped_global.h"
static int search(void* self, const TVMFFIAny* value, TVMFFIAny* result, int depth) {
  if (value->type_index != kTVMFFIArray && value->type_index != kTVMFFIList) return call_original(self, value, 1, result);
  TVMFFISeqCell* cell = sequence_cell(value);
  for (int64_t i = 0; i < cell->size && depth < 100; ++i) {
    TVMFFIAny* item = (TVMFFIAny*)cell->data + i;
    if (item->type_index < 69 || item->type_index == kTVMFFIDict) continue;
    int code = search(self, item, result, depth + 1);
    if (code != 0 || result->v_device.device_type != kDLCPU) return code;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = {kDLCPU, 0}};
  return 0;
}
static int first(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || n != 1 || result->v_device.device_type == kDLCPU) return code;
  return search(self, args, result, 0);
}
WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", first)
