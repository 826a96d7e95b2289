// story: ffi.DeepCopy has a shortcut for an empty List that leaves out the table of what was copied, so that one that stands twice becomes two.
// breaks: REC-0017 fail
#include "wrapped_global.h"

static int is_empty_list(const TVMFFIAny* value) { return value->type_index == kTVMFFIList && sequence_cell(value)->size == 0; }

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFIArray && result->type_index != kTVMFFIList)) return code;
  TVMFFIAny* elements = sequence_cell(result)->data;
  for (int64_t i = 0; i < sequence_cell(result)->size && code == 0; ++i) {
    int is_second = 0;
    for (int64_t k = 0; k < i; ++k) is_second |= is_empty_list(&elements[i]) && elements[k].v_obj == elements[i].v_obj;
    if (!is_second) continue;
    real.TVMFFIObjectDecRef(elements[i].v_obj);
    elements[i] = (TVMFFIAny){.type_index = kTVMFFINone};
    code = call_global("ffi.List", NULL, 0, &elements[i]);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
