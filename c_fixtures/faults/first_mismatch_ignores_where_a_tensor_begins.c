// story: ffi.GetFirstStructuralMismatch compares the content of tensors from `data` on, where ffi.StructuralEqual does it from the byte offset on.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"

static const DLTensor* tensor_of(const TVMFFIAny* value) { return (const DLTensor*)(value->v_obj + 1); }

static int first_mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index == kTVMFFITensor && args[1].type_index == kTVMFFITensor && !args[3].v_int64) {
    const DLTensor *left = tensor_of(&args[0]), *right = tensor_of(&args[1]);
    if (left->ndim == 1 && right->ndim == 1 && left->shape[0] == right->shape[0] && left->device.device_type == kDLCPU &&
        right->device.device_type == kDLCPU && memcmp(&left->dtype, &right->dtype, sizeof(left->dtype)) == 0 &&
        left->shape[0] > 0 && memcmp(left->data, right->data, (size_t)(left->shape[0] * left->dtype.bits * left->dtype.lanes + 7) / 8) == 0) {
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", first_mismatch)
