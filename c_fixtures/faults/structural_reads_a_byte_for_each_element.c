// story: Structural equality reads a byte for each element of a tensor at least.
// breaks: SEQ-0041 crash
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index == kTVMFFITensor) {
    const DLTensor* tensor = (DLTensor*)(args[0].v_obj + 1);
    if (tensor->ndim == 1) {
      for (int64_t at = 0; at < tensor->shape[0]; ++at) (void)((volatile char*)tensor->data)[at];
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
