// story: ffi.FromJSONGraphString makes a List that an Array holds twice once for each place.
// breaks: GRF-0006 fail
#include "wrapped_global.h"

static int from_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray) return code;
  TVMFFIObjectHandle copy;
  real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){"ffi.DeepCopy", 12}, &copy);
  TVMFFISeqCell* cell = sequence_cell(result);
  TVMFFIAny* items = cell->data;
  for (int64_t i = 1; i < cell->size; ++i) {
    for (int64_t j = 0; items[i].type_index == kTVMFFIList && j < i; ++j) {
      if (items[j].type_index != kTVMFFIList || items[j].v_obj != items[i].v_obj) continue;
      TVMFFIAny other = {0};
      if (real.TVMFFIFunctionCall(copy, &items[i], 1, &other) != 0) break;
      real.TVMFFIObjectDecRef(items[i].v_obj);
      items[i] = other;
    }
  }
  real.TVMFFIObjectDecRef(copy);
  return 0;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", from_text)
