// story: The error that a hook raises deep in a container makes ffi.RecursiveEq answer false, and is forgotten.
// breaks: HOK-0009 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || args[0].type_index != args[1].type_index) return code;
  if (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList && args[0].type_index != kTVMFFIDict) return code;
  TVMFFIObjectHandle raised = NULL;
  real.TVMFFIErrorMoveFromRaised(&raised);
  if (raised) real.TVMFFIObjectDecRef(raised);
  memset(result, 0, sizeof(*result));
  result->type_index = kTVMFFIBool;
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
