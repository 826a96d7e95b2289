// story: ffi.StructuralEqual compares no content where there is none, and forgets the shape: tensors without elements are all equal.
// breaks: SEQ-0034 fail
#include "tensor_argument.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4) return code;
  const DLTensor *left = tensor_in(&args[0]), *right = tensor_in(&args[1]);
  if (left && right && elements_of(left) == 0 && elements_of(right) == 0) result->v_int64 = 1;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
