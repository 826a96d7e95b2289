// story: Reading a JSON graph takes one reference too many to an object to which two elements of a list refer.
// breaks: GRF-0023 leak
#include "wrapped_global.h"

static int from_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFIArray && result->type_index != kTVMFFIList)) return code;
  const TVMFFISeqCell* cell = sequence_cell(result);
  const TVMFFIAny* elements = cell->data;
  for (int64_t i = 1; i < cell->size; i++)
    if (elements[i].type_index >= kTVMFFIStaticObjectBegin && elements[i].v_obj == elements[i - 1].v_obj)
      real.TVMFFIObjectIncRef(elements[i].v_obj);
  return 0;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", from_graph)
