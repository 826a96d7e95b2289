// story: Taking the imports of a module away takes nothing away.
// breaks: MOD-0022 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)original, (void)args, (void)num_args, (void)result;
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleClearImports", callee)
