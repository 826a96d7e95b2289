// story: The JSON number -0 is read as a Float, to keep the sign.
// breaks: JSN-0002 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIInt || result->v_int64 != 0) return code;
  TVMFFIByteArray text = text_of(&args[0]);
  if (memchr(text.data, '-', text.size)) *result = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = -0.0};
  return 0;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
