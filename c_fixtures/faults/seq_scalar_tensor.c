// story: ffi.StructuralEqual takes a tensor without dimensions for one of no elements and does not compare its one element.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"
static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || args[0].type_index != kTVMFFITensor || args[1].type_index != kTVMFFITensor) return code;
  DLTensor *left = (DLTensor*)(args[0].v_obj + 1), *right = (DLTensor*)(args[1].v_obj + 1);
  if (left->ndim == 0 && right->ndim == 0 && memcmp(&left->dtype, &right->dtype, sizeof left->dtype) == 0) result->v_int64 = 1;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
