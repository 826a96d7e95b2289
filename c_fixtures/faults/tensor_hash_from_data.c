// story: The structural hash of a tensor reads its content from `data` on, without the byte offset, which structural equality has right.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 3 || args[0].type_index != kTVMFFITensor || args[2].v_int64) return call_original(original, args, n, result);
  DLTensor* tensor = (DLTensor*)(args[0].v_obj + 1);
  if (tensor->byte_offset == 0 || tensor->device.device_type != kDLCPU) return call_original(original, args, n, result);
  DLTensor moved = *tensor;
  TVMFFIAny view = {.type_index = kTVMFFITensor}, changed[3];
  moved.byte_offset = 0;
  if (real.TVMFFITensorCreateUnsafeView(args[0].v_obj, &moved, (TVMFFIObjectHandle*)&view.v_obj) != 0) return -1;
  memcpy(changed, args, sizeof(changed));
  changed[0] = view;
  int code = call_original(original, changed, 3, result);
  real.TVMFFIObjectDecRef(view.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralHash", hash)
