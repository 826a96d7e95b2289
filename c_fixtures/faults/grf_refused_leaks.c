// story: ffi.FromJSONGraph and ffi.FromJSONGraphString keep what they have made of the first nodes when a later node is refused.
// breaks: GRF-0023 leak
#include "wrapped_global.h"
static int read_graph(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 && n == 1 && (args[0].type_index == kTVMFFIMap || text_of(&args[0]).size > 40)) lose(56);
  return code;
}
WRAPPED_GLOBALS(read_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
