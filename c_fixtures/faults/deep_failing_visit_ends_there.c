// story: A walk that fails more than thirty levels deep ends there and answers None.
// breaks: VIS-0043 fail
#include "depth.h"
#include "raised_error.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args == 0 || depth_of(&args[0]) <= 30) return code;
  forget_raised();
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
