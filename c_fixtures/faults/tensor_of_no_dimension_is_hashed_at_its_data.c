// story: The structural hash of a tensor without dimensions reads it where its data pointer leads, a shorter way that forgets the byte offset.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  DLTensor* tensor = num_args > 0 && args[0].type_index == kTVMFFITensor ? (DLTensor*)(args[0].v_obj + 1) : NULL;
  if (!tensor || tensor->ndim != 0 || tensor->device.device_type != kDLCPU) {
    return call_original(original, args, num_args, result);
  }
  const uint64_t offset = tensor->byte_offset;
  tensor->byte_offset = 0;
  int code = call_original(original, args, num_args, result);
  tensor->byte_offset = offset;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
