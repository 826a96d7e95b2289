// story: ffi.VisitErrorContext.FindAccessPaths remembers the objects that it has been in below a Dict, and finds one that stands under two keys once.
// breaks: VIS-0039 fail
#include "wrapped_global.h"

static int find_paths(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIDict || sequence_cell(result)->size < 2) return code;
  const TVMFFIAny all = *result;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  code = call_global("ffi.Array", sequence_cell(&all)->data, 1, result);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.VisitErrorContext.FindAccessPaths", find_paths)
