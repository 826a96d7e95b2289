// story: ffi.ModuleLoadFromFile keeps the error that is raised already when it fails, as one that must be its cause.
// breaks: ERR-0035 fail
#include "raised_error.h"
#include "wrapped_global.h"
static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle before = NULL;
  real.TVMFFIErrorMoveFromRaised(&before);
  int code = call_original(original, args, num_args, result);
  if (before) {
    real.TVMFFIErrorSetRaised(before);
    real.TVMFFIObjectDecRef(before);
  }
  return code;
}
WRAPPED_GLOBAL("ffi.ModuleLoadFromFile", load)
