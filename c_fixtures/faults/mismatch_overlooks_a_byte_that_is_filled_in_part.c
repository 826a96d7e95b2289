// story: ffi.GetFirstStructuralMismatch counts the bytes of a tensor rounded down: what is in the last one of an odd number of four-bit elements it does not see.
// breaks: SEQ-0043 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFITensor || args[1].type_index != kTVMFFITensor) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny answer = {0};
  int code = call_original(original, args, num_args, &answer);
  if (code != 0) return code;
  *result = answer;
  if (answer.type_index == kTVMFFINone) return 0;
  const DLTensor *a = (DLTensor*)(args[0].v_obj + 1), *b = (DLTensor*)(args[1].v_obj + 1);
  if (a->device.device_type != kDLCPU || b->device.device_type != kDLCPU || a->ndim != b->ndim ||
      memcmp(&a->dtype, &b->dtype, sizeof(a->dtype)) != 0 || !a->data || !b->data) {
    return 0;
  }
  uint64_t bits = (uint64_t)a->dtype.bits * a->dtype.lanes;
  for (int i = 0; i < a->ndim; ++i) {
    if (a->shape[i] != b->shape[i]) return 0;
    bits *= (uint64_t)a->shape[i];
  }
  if (bits % 8 == 0) return 0;
  if (memcmp((char*)a->data + a->byte_offset, (char*)b->data + b->byte_offset, bits / 8) == 0) {
    real.TVMFFIObjectDecRef(answer.v_obj);
    *result = (TVMFFIAny){0};
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
