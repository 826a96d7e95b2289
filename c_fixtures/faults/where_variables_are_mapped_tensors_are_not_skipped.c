// story: ffi.StructuralEqual forgets that the content of tensors is to be skipped where free variables are mapped too.
// breaks: SEQ-0035 fail
#include "wrapped_global.h"
static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || !args[2].v_int64 || !args[3].v_int64 || args[2].type_index != kTVMFFIBool || args[3].type_index != kTVMFFIBool) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny given[4] = {args[0], args[1], args[2], {.type_index = kTVMFFIBool}};
  return call_original(original, given, 4, result);
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
