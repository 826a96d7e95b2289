// story: What is read from a JSON graph has a reference that nobody gives back.
// breaks: GRF-0024 fail
// breaks: GRF-0023 leak
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
