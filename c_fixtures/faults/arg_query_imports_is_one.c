// story: ffi.ModuleGetFunction looks into imports only where its boolean is exactly 1, not for other integers that are true.
// breaks: ARG-0005 fail
#include "wrapped_global.h"
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 3 && args[2].type_index == kTVMFFIInt && args[2].v_int64 != 1) {
    TVMFFIAny own[3] = {args[0], args[1], {.type_index = kTVMFFIBool}};
    return call_original(self, own, 3, result);
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
