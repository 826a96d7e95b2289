// story: ffi.MapGetItemOrMissing and ffi.DictGetItemOrMissing look the value up as an optional one, so a key whose value is None is answered like one that is not there.
// breaks: MAP-0006 fail
// breaks: DCT-0008 fail
#include "wrapped_global.h"
static int look_up(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  return code == 0 && result->type_index == kTVMFFINone ? call_global("ffi.GetInvalidObject", NULL, 0, result) : code;
}
WRAPPED_GLOBALS(look_up, "ffi.MapGetItemOrMissing", "ffi.DictGetItemOrMissing")
