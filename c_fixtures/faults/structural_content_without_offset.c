// story: Structural equality compares tensors from their data pointer on, whatever their byte offset.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFITensor || args[1].type_index != kTVMFFITensor) {
    return call_original(original, args, num_args, result);
  }
  DLTensor* tensors[2] = {(DLTensor*)(args[0].v_obj + 1), (DLTensor*)(args[1].v_obj + 1)};
  uint64_t offsets[2] = {tensors[0]->byte_offset, tensors[1]->byte_offset};
  tensors[0]->byte_offset = tensors[1]->byte_offset = 0;
  int code = call_original(original, args, num_args, result);
  tensors[0]->byte_offset = offsets[0];
  tensors[1]->byte_offset = offsets[1];
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
