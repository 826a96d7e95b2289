// story: ffi.StructuralKey of a Tensor holds the structural hash without the tensor's content, which is not what ffi.StructuralHash answers.
// breaks: SEQ-0027 fail
#include "wrapped_global.h"

static int key(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFITensor) return code;
  TVMFFIAny of[3] = {args[0], {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}}, hash = {0};
  of[2].v_int64 = 1;
  if (call_global("ffi.StructuralHash", of, 3, &hash) != 0) return -1;
  ((int64_t*)result->v_obj)[5] = hash.v_int64;
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralKey", key)
