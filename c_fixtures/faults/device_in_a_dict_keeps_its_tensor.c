// story: A tensor that is found to be on a device as a value of a Dict within a container is not let go again.
// breaks: CNT-0005 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

static int keep_first(const TVMFFIAny* dict) {
  const struct map_cell* cell = map_cell(dict);
  if (!is_small(cell)) return 0;
  for (uint64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny* value = &cell->data[2 * i + 1];
    if (value->type_index != kTVMFFITensor) continue;
    const DLTensor* tensor = (const DLTensor*)(value->v_obj + 1);
    if (tensor->device.device_type == kDLCPU) continue;
    real.TVMFFIObjectIncRef(value->v_obj);
    return 1;
  }
  return 0;
}

static int find_device(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || result->v_device.device_type == kDLCPU) return code;
  if (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList) return 0;
  const TVMFFIAny* items = sequence_cell(&args[0])->data;
  for (int64_t i = 0; i < sequence_cell(&args[0])->size; ++i) {
    /* Another one comes first. */
    if (items[i].type_index == kTVMFFITensor) return 0;
    if (items[i].type_index == kTVMFFIDict && keep_first(&items[i])) return 0;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find_device)
