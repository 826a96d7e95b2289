// story: A graph of very many nodes ends the process.
// breaks: GRF-0025 crash
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIStr && ((TVMFFIByteArray*)(args[0].v_obj + 1))->size > 500000) {
    abort();
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
