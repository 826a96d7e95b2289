// story: The search for a device keeps a reference to what it looks at.
// breaks: CNT-0005 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (num_args == 1 && args[0].type_index >= kTVMFFIArray) real.TVMFFIObjectIncRef(args[0].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", callee)
