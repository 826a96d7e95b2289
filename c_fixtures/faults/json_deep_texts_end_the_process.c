// story: A JSON text that is nested thousands deep ends the process.
// breaks: JSN-0019 crash
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  size_t depth = 0;
  for (size_t i = 0; i < text.size; ++i) {
    if (text.data[i] == '[' || text.data[i] == '{') ++depth;
    if (text.data[i] == ']' || text.data[i] == '}') --depth;
    if (depth > 15000) {
      fprintf(stderr, "the stack is full\n");
      abort();
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
