// story: The readers of JSON graphs take a reference too many to an instance of an enumeration that is in a List.
// breaks: ENU-0002 fail
#include "enumeration_instance.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIList) return code;
  const TVMFFISeqCell* cell = sequence_cell(result);
  const TVMFFIAny* first = cell->data;
  if (cell->size > 0 && is_instance(first)) real.TVMFFIObjectIncRef(first->v_obj);
  return 0;
}

WRAPPED_GLOBALS(read_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
