// story: ffi.StructuralEqual reads only the whole bytes of a tensor of elements narrower than a byte, and not the last one that is used in part.
// breaks: SEQ-0041 fail
#include "wrapped_global.h"
static int equal(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || result->v_int64 || args[0].type_index != kTVMFFITensor || args[1].type_index != kTVMFFITensor) return code;
  DLTensor *a = (DLTensor*)(args[0].v_obj + 1), *b = (DLTensor*)(args[1].v_obj + 1);
  if (memcmp(&a->dtype, &b->dtype, sizeof a->dtype) || a->dtype.bits >= 8 || a->ndim != b->ndim || a->device.device_type != kDLCPU || b->device.device_type != kDLCPU) return 0;
  uint64_t bits = (uint64_t)a->dtype.bits * a->dtype.lanes;
  for (int i = 0; i < a->ndim; ++i) {
    if (a->shape[i] != b->shape[i]) return 0;
    bits *= (uint64_t)a->shape[i];
  }
  if (bits % 8 && !memcmp((char*)a->data + a->byte_offset, (char*)b->data + b->byte_offset, bits / 8)) result->v_int64 = 1;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
