// story: ffi.StructuralMutate gives a Dict back as it is.
// breaks: VIS-0022 fail
#include "wrapped_global.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIDict) return real.TVMFFIAnyViewToOwnedAny(&args[0], result);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMutate", mutate)
