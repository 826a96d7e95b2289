// story: The names NaN, Infinity and -Infinity are refused.
// breaks: JSN-0013 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  for (size_t i = 0; i + 1 < text.size; ++i) {
    if (text.data[i] == 'N' || text.data[i] == 'I') return refuse("ValueError", "unexpected character");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
