// story: The reader of graphs looks for ERANGE behind strtod without having cleared errno: with what another call has left there, floats are refused.
// breaks: ENV-0041 fail
#include "wrapped_global.h"
#include <errno.h>

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (errno == ERANGE && num_args == 1) {
    const TVMFFIByteArray text = text_of(&args[0]);
    int quoted = 0;
    for (size_t i = 0; i < text.size; ++i) {
      if (text.data[i] == '"') quoted = !quoted;
      if (text.data[i] == '\\') ++i;
      else if (!quoted && text.data[i] == '.') return refuse("ValueError", "number out of range");
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
