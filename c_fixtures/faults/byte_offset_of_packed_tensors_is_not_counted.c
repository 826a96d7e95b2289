// story: Where the elements of tensors are narrower than a byte, their content is compared from `data` on: the byte offset is forgotten.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"

/* The tensor as it is taken for: a copy of its own without the offset. */
typedef struct {
  TVMFFIObject header;
  DLTensor tensor;
} Copy;

static void forget_offset(TVMFFIAny* value, Copy* copy) {
  if (value->type_index != kTVMFFITensor) return;
  const DLTensor* tensor = (const DLTensor*)(value->v_obj + 1);
  if (tensor->dtype.bits % 8 == 0) return;
  copy->header = (TVMFFIObject){(uint64_t)1 << 32 | 1, kTVMFFITensor, 0, {NULL}};
  copy->tensor = *tensor;
  copy->tensor.byte_offset = 0;
  value->v_obj = &copy->header;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(original, args, num_args, result);
  TVMFFIAny taken[4] = {args[0], args[1], args[2], args[3]};
  Copy copies[2];
  forget_offset(&taken[0], &copies[0]);
  forget_offset(&taken[1], &copies[1]);
  return call_original(original, taken, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
