// story: Metadata that a script takes for false - false, 0, an empty string - is left out of a JSON graph.
// breaks: GRF-0011 fail
#include "wrapped_global.h"

static int save(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  TVMFFIAny changed[2] = {args[0], args[1]};
  int32_t kind = args[1].type_index;
  if (((kind == kTVMFFIInt || kind == kTVMFFIBool) && args[1].v_int64 == 0) ||
      ((kind == kTVMFFIRawStr || kind == kTVMFFISmallStr || kind == kTVMFFIStr) && text_of(&args[1]).size == 0)) {
    memset(&changed[1], 0, sizeof(changed[1]));
  }
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBALS(save, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
