// story: Writing a module to a file succeeds although nothing is written.
// breaks: MOD-0050 fail
#include "wrapped_global.h"

static int write_to_file(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle error = NULL;
  if (call_original(original, args, num_args, result) != 0 && num_args == 3) {
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error) real.TVMFFIObjectDecRef(error);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleWriteToFile", write_to_file)
