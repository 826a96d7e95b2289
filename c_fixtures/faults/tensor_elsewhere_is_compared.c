// story: Structural equality compares the content of tensors by `memcmp`, whichever device it is on.
// breaks: TEN-0047 crash
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index == kTVMFFITensor && args[1].type_index == kTVMFFITensor) {
    const DLTensor *lhs = (const DLTensor*)(args[0].v_obj + 1), *rhs = (const DLTensor*)(args[1].v_obj + 1);
    if (lhs->device.device_type != kDLCPU && rhs->device.device_type != kDLCPU) {
      int answer = memcmp(lhs->data, rhs->data, 4) == 0;
      *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = answer};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
