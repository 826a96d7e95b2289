// story: The paths of a mismatch end one step in front of it.
// breaks: SEQ-0010 fail
// breaks: SEQ-0015 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray) return code;
  for (int64_t i = 0; i < sequence_cell(result)->size; ++i) {
    TVMFFIAny* path = &((TVMFFIAny*)sequence_cell(result)->data)[i];
    TVMFFIObject* parent = *(TVMFFIObject**)(path->v_obj + 1);
    if (parent == NULL) continue;
    real.TVMFFIObjectIncRef(parent);
    real.TVMFFIObjectDecRef(path->v_obj);
    path->v_obj = parent;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", callee)
