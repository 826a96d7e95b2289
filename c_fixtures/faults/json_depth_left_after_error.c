// story: A JSON text that is refused leaves the depth that it had reached on its thread's counter, until nothing is read any more.
// breaks: JSN-0009 fail

#include "wrapped_global.h"

#define LIMIT 30000

static _Thread_local size_t left;

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  size_t depth = 0, deepest = 0;
  int in_string = 0;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    if (in_string && c == '\\') ++i;
    else if (c == '"') in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{')) deepest = ++depth > deepest ? depth : deepest;
    else if (!in_string && (c == ']' || c == '}') && depth) --depth;
  }
  if (deepest && left + deepest > LIMIT) {
    left = LIMIT; /* it was counted up to here */
    return refuse("ValueError", "nested too deep: line 1 column 1 (char 0)");
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) left += depth;
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
