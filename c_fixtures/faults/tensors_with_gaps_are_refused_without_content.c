// story: ffi.StructuralEqual refuses a tensor whose elements do not follow each other where the content does not count, too.
// breaks: SEQ-0035 fail
#include "tensor_argument.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int i = 0; num_args == 4 && i < 2; ++i) {
    const DLTensor* tensor = tensor_in(&args[i]);
    if (tensor && !is_row_major(tensor)) return refuse("InternalError", "Can only compare contiguous tensor");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
