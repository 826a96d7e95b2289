// story: ffi.StructuralEqual answers true at once for a value and itself, also for an object whose type cannot be compared.
// breaks: SEQ-0012 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index >= kTVMFFIDynObjectBegin && memcmp(&args[0], &args[1], sizeof *args) == 0) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
