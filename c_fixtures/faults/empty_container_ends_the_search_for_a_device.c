// story: ffi.ContainerFindFirstNonCPUDevice takes the end of an empty container within another one for the end of the search.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int has_empty_array(TVMFFIAny container) {
  if (container.type_index != kTVMFFIArray && container.type_index != kTVMFFIList) return 0;
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(container.v_obj + 1);
  const TVMFFIAny* items = cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index == kTVMFFITensor) return 0;
    if (items[i].type_index == kTVMFFIArray || items[i].type_index == kTVMFFIList) {
      return ((const TVMFFISeqCell*)(items[i].v_obj + 1))->size == 0;
    }
  }
  return 0;
}

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 1 && has_empty_array(args[0])) {
    result->v_device = (DLDevice){kDLCPU, 0};
  }
  return code;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
