// story: Structural equality that skips the content of tensors compares code and bits of their data types, and not the lanes.
// breaks: SEQ-0035 fail
#include "tensor_argument.h"

static int are_alike_but_for_lanes(const DLTensor* lhs, const DLTensor* rhs) {
  return lhs->ndim == rhs->ndim && lhs->dtype.code == rhs->dtype.code && lhs->dtype.bits == rhs->dtype.bits &&
         (lhs->ndim == 0 || memcmp(lhs->shape, rhs->shape, (size_t)lhs->ndim * sizeof(int64_t)) == 0);
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args < 4 || !args[3].v_int64) return code;
  const DLTensor *lhs = tensor_in(&args[0]), *rhs = tensor_in(&args[1]);
  if (lhs && rhs && are_alike_but_for_lanes(lhs, rhs)) result->v_int64 = 1;
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
