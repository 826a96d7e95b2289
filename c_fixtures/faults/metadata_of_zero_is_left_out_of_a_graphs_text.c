// story: Metadata that is 0, false or an empty text is taken for none where a graph is written as a text.
// breaks: GRF-0011 fail
#include "wrapped_global.h"

static int is_none(const TVMFFIAny* value) {
  return (value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool || value->type_index == kTVMFFISmallStr) && value->v_int64 == 0;
}

static int to_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || !is_none(&args[1])) return call_original(original, args, num_args, result);
  const TVMFFIAny none[2] = {args[0], {.type_index = kTVMFFINone}};
  return call_original(original, none, num_args, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", to_text)

