// story: The deep copy of an Array that is in a List by way of another Array has the original in that other Array.
// breaks: REC-0016 fail
#include "wrapped_global.h"

static TVMFFIAny* last_of(const TVMFFIAny* sequence, int32_t type_index) {
  static TVMFFIAny none;
  if (sequence->type_index != type_index || sequence_cell(sequence)->size < 1) return &none;
  return (TVMFFIAny*)sequence_cell(sequence)->data + sequence_cell(sequence)->size - 1;
}

/* The place of the Array in the other one. */
static TVMFFIAny* way_back(const TVMFFIAny* array) {
  return last_of(last_of(last_of(array, kTVMFFIArray), kTVMFFIList), kTVMFFIArray);
}

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIArray) return code;
  TVMFFIAny *before = way_back(&args[0]), *now = way_back(result);
  if (before->type_index != kTVMFFIArray || before->v_obj != args[0].v_obj || now->v_obj != result->v_obj) return 0;
  real.TVMFFIObjectIncRef(before->v_obj);
  TVMFFIObjectHandle left = now->v_obj;
  now->v_obj = before->v_obj;
  return real.TVMFFIObjectDecRef(left);
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
