/* y = x + 1 on the host, for tensors given as objects or as pointers. */
#include "kernel.h"

static DLTensor* tensor_of(const TVMFFIAny* value) {
  switch (value->type_index) {
    case kTVMFFIDLTensorPtr:
      return (DLTensor*)value->v_ptr;
    case kTVMFFITensor:
      return (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
    default:
      TVMFFIErrorSetRaisedFromCStr("ValueError", "add_one_cpu takes tensors");
      return NULL;
  }
}

KERNEL(add_one_cpu) {
  if (num_args != 2) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add_one_cpu takes two arguments");
    return -1;
  }
  DLTensor* x = tensor_of(&args[0]);
  if (x == NULL) return -1;
  DLTensor* y = tensor_of(&args[1]);
  if (y == NULL) return -1;
  const float* from = (const float*)((const char*)x->data + x->byte_offset);
  float* to = (float*)((char*)y->data + y->byte_offset);
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 1.0f;
  return 0;
}
