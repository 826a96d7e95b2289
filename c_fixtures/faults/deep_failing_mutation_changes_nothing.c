// story: A mutation or a map that fails more than thirty levels deep answers the value itself.
// breaks: VIS-0044 fail
#include "depth.h"
#include "raised_error.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args == 0 || depth_of(&args[0]) <= 30) return code;
  forget_raised();
  real.TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}

WRAPPED_GLOBALS(mutate, "ffi.StructuralMap", "ffi.StructuralMutate")
