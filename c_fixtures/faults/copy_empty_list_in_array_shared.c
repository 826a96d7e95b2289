// story: ffi.DeepCopy does not copy an empty List that is an element of an Array.
// breaks: REC-0016 fail

#include "wrapped_global.h"

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_given = args[0].type_index == kTVMFFIObjectRValueRef;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || is_given || result->type_index != kTVMFFIArray || result->v_obj == args[0].v_obj) return code;
  TVMFFIAny *from = sequence_cell(args)->data, *to = sequence_cell(result)->data;
  for (int64_t i = 0; i < sequence_cell(result)->size; ++i) {
    if (from[i].type_index != kTVMFFIList || sequence_cell(&from[i])->size != 0) continue;
    if (to[i].v_obj == from[i].v_obj) continue;
    /* nothing in it to copy */
    real.TVMFFIObjectIncRef(from[i].v_obj);
    real.TVMFFIObjectDecRef(to[i].v_obj);
    to[i] = from[i];
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
