// story: A JSON text ends at the first NUL byte.
// breaks: JSN-0041 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFISmallStr) return call_original(original, args, num_args, result);
  char text[8] = {0};
  memcpy(text, args[0].v_bytes, args[0].small_str_len);
  TVMFFIAny cut = {.type_index = kTVMFFIRawStr, .v_c_str = text};
  return call_original(original, &cut, 1, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
