// story: Metadata that are false or zero are taken for none and left out of the text of a JSON graph; the graph as a value has them.
// breaks: GRF-0011 fail

#include "wrapped_global.h"

static int to_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  int is_plain = args[1].type_index == kTVMFFIBool || args[1].type_index == kTVMFFIInt;
  if (!is_plain || args[1].v_int64) return call_original(original, args, num_args, result);
  /* if (metadata) */
  TVMFFIAny changed[2] = {args[0], {.type_index = kTVMFFINone}};
  return call_original(original, changed, 2, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", to_text)
