// story: A JSON graph that is not sound is read as None.
// breaks: GRF-0017 fail
// breaks: GRF-0018 fail
// breaks: GRF-0019 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (call_original(original, args, num_args, result) == 0) return 0;
  forget_raised();
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBALS(callee, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
