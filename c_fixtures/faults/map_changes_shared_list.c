// story: ffi.StructuralMap changes a List in place, also when somebody else holds it.
// breaks: VIS-0019 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList || result->type_index != kTVMFFIList ||
      args[0].v_obj == result->v_obj)
    return code;
  TVMFFISeqCell *mine = sequence_cell(result), *theirs = sequence_cell(&args[0]), swapped = *mine;
  *mine = *theirs;
  *theirs = swapped;
  real.TVMFFIObjectDecRef(result->v_obj);
  result->v_obj = args[0].v_obj;
  return real.TVMFFIObjectIncRef(result->v_obj);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
