// story: An interruption does not hold what it was made of.
// breaks: INS-0019 fail
// breaks: VIS-0014 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIAny none = {.type_index = kTVMFFINone};
  (void)args;
  return call_original(original, &none, num_args, result);
}

WRAPPED_GLOBAL("ffi.VisitInterrupt", callee)
