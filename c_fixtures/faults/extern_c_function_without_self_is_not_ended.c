// story: ffi.FunctionFromExternC takes a deleter only together with a self.
// breaks: FUN-0005 fail
#include "wrapped_global.h"

static void nothing(void* self) {}

static int from_extern_c(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny with_nothing[3];
  if (num_args == 3 && !args[0].v_ptr && args[2].type_index == kTVMFFIOpaquePtr && args[2].v_ptr) {
    memcpy(with_nothing, args, sizeof(with_nothing));
    with_nothing[2].v_ptr = nothing;
    args = with_nothing;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FunctionFromExternC", from_extern_c)
