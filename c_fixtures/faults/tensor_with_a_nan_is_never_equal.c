// story: ffi.StructuralEqual compares the elements of 32-bit float tensors as numbers: one with a NaN does not even equal itself.
// breaks: SEQ-0037 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFITensor || args[1].type_index != kTVMFFITensor) return code;
  if (!result->v_int64 || (num_args == 4 && args[3].v_int64)) return 0;
  const DLTensor* tensor = (DLTensor*)(args[0].v_obj + 1);
  if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 || tensor->dtype.lanes != 1 || tensor->device.device_type != kDLCPU) return 0;
  int64_t size = 1;
  for (int32_t i = 0; i < tensor->ndim; ++i) size *= tensor->shape[i];
  const char* data = (const char*)tensor->data + tensor->byte_offset;
  for (int64_t i = 0; i < size; ++i) {
    float element;
    memcpy(&element, data + 4 * i, 4);
    if (element != element) result->v_int64 = 0;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
