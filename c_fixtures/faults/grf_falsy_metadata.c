// story: Metadata that count as false (0, false, an empty text) are not written into a JSON graph, as if they were None.
// breaks: GRF-0011 fail
#include "wrapped_global.h"
static int to_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2) {
    TVMFFIAny changed[2] = {args[0], args[1]};
    int kind = args[1].type_index;
    if (((kind == kTVMFFIInt || kind == kTVMFFIBool) && args[1].v_int64 == 0) || ((kind == kTVMFFIRawStr || kind == kTVMFFISmallStr) && text_of(&args[1]).size == 0)) {
      changed[1] = (TVMFFIAny){0};
      return call_original(original, changed, 2, result);
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBALS(to_graph, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
