// story: ffi.VisitErrorContext.FindAccessPaths answers the first path that it finds, where there are several places, too.
// breaks: VIS-0039 fail
#include "wrapped_global.h"
static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray || sequence_cell(result)->size < 2) return code;
  TVMFFIAny first = {0};
  code = call_global("ffi.Array", sequence_cell(result)->data, 1, &first);
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = first;
  return code;
}
WRAPPED_GLOBAL("ffi.VisitErrorContext.FindAccessPaths", find)
