// story: The structural hash leaves the content of a tensor out where it is asked to, but not that of a tensor within a container.
// breaks: SEQ-0035 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index == kTVMFFITensor) return call_original(original, args, num_args, result);
  TVMFFIAny changed[3] = {args[0], args[1], args[2]};
  if (changed[2].type_index == kTVMFFIBool || changed[2].type_index == kTVMFFIInt) changed[2].v_int64 = 0;
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
