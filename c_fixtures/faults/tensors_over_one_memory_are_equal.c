// story: ffi.StructuralEqual takes two tensors of one shape for equal that have one data pointer, whatever their byte offsets are.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"

static const DLTensor* tensor_of(const TVMFFIAny* value) {
  return value->type_index == kTVMFFITensor ? (const DLTensor*)(value->v_obj + 1) : NULL;
}

static int structural_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const DLTensor* lhs = num_args == 4 ? tensor_of(&args[0]) : NULL;
  const DLTensor* rhs = num_args == 4 ? tensor_of(&args[1]) : NULL;
  if (lhs && rhs && lhs->data == rhs->data && lhs->ndim == 1 && rhs->ndim == 1 && lhs->shape[0] == rhs->shape[0]) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", structural_equal)
