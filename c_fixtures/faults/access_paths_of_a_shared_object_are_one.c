// story: ffi.VisitErrorContext.FindAccessPaths looks into an object where it meets it first, and answers one path to what stands in several places.
// breaks: VIS-0039 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 3 || args[2].v_int64 || sequence_cell(result)->size <= 1) return code;
  const TVMFFIAny whole = *result;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  code = call_global("ffi.Array", sequence_cell(&whole)->data, 1, result);
  real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.VisitErrorContext.FindAccessPaths", find)
