// story: The deep copy of a List is the List itself.
// breaks: REC-0021 fail
#include "wrapped_global.h"

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIList) return real.TVMFFIAnyViewToOwnedAny(&args[0], result);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
