/* y = x + 1 as a compiler for devices generates it: on the stream of the environment. */
#include "kernel.h"

static int read_tensor(const TVMFFIAny* value, DLTensor** out) {
  if (value->type_index == kTVMFFIDLTensorPtr) {
    *out = (DLTensor*)value->v_ptr;
    return 0;
  }
  if (value->type_index == kTVMFFITensor) {
    *out = (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
    return 0;
  }
  TVMFFIErrorSetRaisedFromCStr("ValueError", "add_one_c takes tensors");
  return -1;
}

/* Returns the stream that it would have launched on. */
KERNEL(add_one_c) {
  DLTensor *x, *y;
  if (read_tensor(&args[0], &x) != 0 || read_tensor(&args[1], &y) != 0) return -1;
  TVMFFIStreamHandle stream = TVMFFIEnvGetStream(x->device.device_type, x->device.device_id);
  for (int64_t i = 0; i < x->shape[0]; ++i) ((float*)y->data)[i] = ((float*)x->data)[i] + 1;
  *result = pointer_value(stream);
  return 0;
}
