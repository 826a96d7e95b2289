// story: ffi.RecursiveLt(a, b) asks ffi.RecursiveGt(b, a): a hook in __ffi_compare__ gets the objects in the other order.
// admitted: REC-0039 says that both are the same, and HOK-0005 that the hook is called with both, in either order.
#include "replaced_globals.h"

static TVMFFIObjectHandle greater;

static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || !greater) return call_original(original, args, num_args, result);
  const TVMFFIAny other[2] = {args[1], args[0]};
  return call_original(greater, other, 2, result);
}

static void install(void) {
  const TVMFFIByteArray name = {"ffi.RecursiveGt", strlen("ffi.RecursiveGt")};
  real.TVMFFIFunctionGetGlobal(&name, &greater);
  put("ffi.RecursiveLt", less);
}
