// story: ffi.StructuralMutatorMutate answers the value that it was given.
// breaks: VIS-0037 fail
#include "wrapped_global.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  return real.TVMFFIAnyViewToOwnedAny(&args[1], result);
}

WRAPPED_GLOBAL("ffi.StructuralMutatorMutate", mutate)
