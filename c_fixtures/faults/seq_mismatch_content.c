// story: ffi.GetFirstStructuralMismatch compares the content of tensors although it is told to skip it.
// breaks: ARG-0005 fail
#include "wrapped_global.h"
static int mismatch(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 4) return call_original(self, args, n, result);
  TVMFFIAny own[4] = {args[0], args[1], args[2], {.type_index = kTVMFFIBool}};
  return call_original(self, own, 4, result);
}
WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
