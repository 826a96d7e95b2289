// story: Modules answer None for the formats that they can be written in.
// breaks: MOD-0049 fail
#include "wrapped_global.h"

static int formats(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleGetWriteFormats", formats)
