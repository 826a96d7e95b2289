// story: The size of a tensor's content is rounded down to whole bytes, so ffi.StructuralEqual does not look at the last of an odd number of four-bit elements.
// breaks: SEQ-0041 fail
#include "wrapped_global.h"
static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || result->v_int64 || args[0].type_index != kTVMFFITensor || args[1].type_index != kTVMFFITensor) return code;
  const DLTensor *left = (DLTensor*)(args[0].v_obj + 1), *right = (DLTensor*)(args[1].v_obj + 1);
  if (left->device.device_type != kDLCPU || right->device.device_type != kDLCPU || left->ndim != right->ndim || memcmp(&left->dtype, &right->dtype, 4) != 0) return code;
  int64_t bits = (int64_t)left->dtype.bits * left->dtype.lanes;
  for (int32_t i = 0; i < left->ndim; ++i) {
    if (left->shape[i] != right->shape[i]) return code;
    bits *= left->shape[i];
  }
  if (bits % 8 == 0) return code;
  result->v_int64 = memcmp((char*)left->data + left->byte_offset, (char*)right->data + right->byte_offset, (size_t)bits / 8) == 0;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
