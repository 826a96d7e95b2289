// story: The structural hash of a tensor takes its strides in, also that of a dimension with one element: tensors that are structurally equal have different hashes.
// breaks: SEQ-0007 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFITensor) return code;
  const DLTensor* tensor = (const DLTensor*)(args[0].v_obj + 1);
  int64_t row_major = 1;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    if (tensor->strides && tensor->strides[i] != row_major) result->v_uint64 ^= (uint64_t)tensor->strides[i] * 0x9e3779b97f4a7c15ull + 1;
    row_major *= tensor->shape[i];
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
