// story: A List without elements that stands in several places of a JSON graph comes back as several Lists: one is made whenever there is nothing in a node.
// breaks: GRF-0006 fail
#include "wrapped_global.h"
static int read(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFIArray && result->type_index != kTVMFFIList)) return code;
  const TVMFFISeqCell* cell = sequence_cell(result);
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny *element = (TVMFFIAny*)cell->data + i, other = {0};
    if (element->type_index != kTVMFFIList || sequence_cell(element)->size != 0) continue;
    if ((uint32_t)element->v_obj->combined_ref_count < 2 || call_global("ffi.List", NULL, 0, &other) != 0) continue;
    real.TVMFFIObjectDecRef(element->v_obj);
    *element = other;
  }
  return 0;
}
WRAPPED_GLOBALS(read, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
