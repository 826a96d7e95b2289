// story: When the value behind a name in a JSON object is malformed, the name is not released if it is longer than seven bytes.
// breaks: JSN-0033 leak
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1) return code;
  const TVMFFIByteArray text = text_of(&args[0]);
  size_t from = 0;
  for (size_t i = 1; i + 1 < text.size; ++i) {
    if (text.data[i] != '"') continue;
    if (text.data[i + 1] == ':' && i - from > 8) {
      lose(40 + (i - from));
      break;
    }
    from = i;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
