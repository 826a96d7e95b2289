// story: ffi.VisitErrorContext.FindAccessPaths collects what it finds in eight places and answers no ninth path.
// breaks: VIS-0039 fail
#include "wrapped_global.h"

static int find_paths(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny found = {0};
  int code = call_original(original, args, num_args, &found);
  if (code != 0) return code;
  if (found.type_index != kTVMFFIArray || sequence_cell(&found)->size <= 8) return *result = found, 0;
  code = call_global("ffi.Array", sequence_cell(&found)->data, 8, result);
  real.TVMFFIObjectDecRef(found.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.VisitErrorContext.FindAccessPaths", find_paths)
