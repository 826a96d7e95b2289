// story: Metadata of a JSON graph are left out if they are zero, false or an empty text.
// breaks: GRF-0011 fail
#include "wrapped_global.h"

static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  TVMFFIAny changed[2] = {args[0], args[1]};
  int plain = args[1].type_index == kTVMFFIInt || args[1].type_index == kTVMFFIBool;
  int text = args[1].type_index == kTVMFFIRawStr || args[1].type_index == kTVMFFISmallStr;
  if ((plain && args[1].v_int64 == 0) || (args[1].type_index == kTVMFFIFloat && args[1].v_float64 == 0) ||
      (text && text_of(&args[1]).size == 0)) {
    changed[1] = (TVMFFIAny){0};
  }
  return call_original(original, changed, 2, result);
}

WRAPPED_GLOBALS(write_graph, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
