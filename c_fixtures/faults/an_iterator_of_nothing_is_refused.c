// story: ffi.MapForwardIterFunctor refuses a Map without entries, for which clients ask for a function and do not call it.
// breaks: MAP-0014 fail
#include "wrapped_global.h"

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIMap && ((const uint64_t*)(args[0].v_obj + 1))[1] == 0) {
    return refuse("ValueError", "there are no entries to walk through");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
