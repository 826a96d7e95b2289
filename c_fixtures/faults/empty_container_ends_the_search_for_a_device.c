// story: ffi.ContainerFindFirstNonCPUDevice takes what it has found in an empty container, nothing, for the end of the search: what stands behind one is not looked at.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int is_empty(const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIArray && value->type_index != kTVMFFIList) return 0;
  return sequence_cell(value)->size == 0;
}

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || result->type_index != kTVMFFIDevice) return code;
  if (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList) return code;
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny* element = (const TVMFFIAny*)cell->data + i;
    if (element->type_index == kTVMFFITensor) return code;
    if (!is_empty(element)) continue;
    result->v_device = (DLDevice){kDLCPU, 0};
    return code;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
