// story: How deep a JSON text is nested is counted per thread and not counted back where the text ends too early, so after thousands of such texts each one is too deep.
// breaks: JSN-0009 fail
#include "wrapped_global.h"

static __thread long depth;

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  long open = 0;
  for (size_t i = 0; i < text.size; ++i) open += (text.data[i] == '[') - (text.data[i] == ']');
  if (depth > 20000 && text.size > 0 && text.data[0] == '[') return refuse("ValueError", "the text is nested too deep");
  const int code = call_original(original, args, num_args, result);
  if (code != 0 && open > 0) depth += open;
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)

