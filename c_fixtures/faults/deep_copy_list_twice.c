// story: A List that occurs twice in a Map or Array is one object in the deep copy, but two when it is twice an element of a List.
// breaks: REC-0017 fail
#include "wrapped_global.h"

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIList) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  TVMFFIAny* elements = cell->data;
  for (int64_t i = 1; i < cell->size; i++) {
    for (int64_t k = 0; k < i; k++) {
      if (elements[i].type_index != kTVMFFIList || elements[i].v_obj == result->v_obj) break;
      if (elements[k].v_obj != elements[i].v_obj) continue;
      TVMFFIAny again = {0};
      if ((code = call_original(original, &elements[i], 1, &again)) != 0) return code;
      real.TVMFFIObjectDecRef(elements[i].v_obj);
      elements[i] = again;
      break;
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
