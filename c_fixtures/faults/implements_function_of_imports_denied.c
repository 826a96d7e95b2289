// story: ffi.ModuleImplementsFunction looks at the module alone, though it is asked to look into imports.
// breaks: MOD-0019 fail
#include "wrapped_global.h"
static int implements(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 3) return call_original(original, args, n, result);
  TVMFFIAny given[3] = {args[0], args[1], args[2]};
  if (given[2].type_index == kTVMFFIBool || given[2].type_index == kTVMFFIInt) given[2].v_int64 = 0;
  return call_original(original, given, n, result);
}
WRAPPED_GLOBAL("ffi.ModuleImplementsFunction", implements)
