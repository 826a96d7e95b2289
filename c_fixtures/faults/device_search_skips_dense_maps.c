// story: The search for a tensor that is not on the CPU looks into small Maps and Dicts, but not into dense ones.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int find_device(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (args[0].type_index != kTVMFFIMap && args[0].type_index != kTVMFFIDict)) return code;
  if (*(uint64_t*)((char*)args[0].v_obj + 40) >> 63) return 0;
  result->v_device = (DLDevice){kDLCPU, 0};
  return 0;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find_device)
