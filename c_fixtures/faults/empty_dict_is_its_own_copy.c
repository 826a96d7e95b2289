// story: A deep copy has a short way for what has nothing in it, and answers an empty Dict as it is.
// breaks: REC-0016 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int is_empty_dict(const TVMFFIAny* value) { return value->type_index == kTVMFFIDict && map_cell(value)->size == 0; }

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIAny given = num_args == 1 ? args[0] : (TVMFFIAny){0};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != given.type_index) return code;
  if (is_empty_dict(&given)) {
    real.TVMFFIObjectIncRef(given.v_obj);
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = given;
  }
  if ((given.type_index != kTVMFFIArray && given.type_index != kTVMFFIList) || result->v_obj == given.v_obj) return code;
  const TVMFFISeqCell *from = sequence_cell(&given), *to = sequence_cell(result);
  for (int64_t i = 0; i < from->size && i < to->size; ++i) {
    TVMFFIAny *old = (TVMFFIAny*)from->data + i, *other = (TVMFFIAny*)to->data + i;
    if (!is_empty_dict(old) || other->type_index != kTVMFFIDict) continue;
    real.TVMFFIObjectIncRef(old->v_obj);
    real.TVMFFIObjectDecRef(other->v_obj);
    *other = *old;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
