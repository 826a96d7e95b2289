// story: The JSON reader counts how deep it is and refuses to go below 512; where a text is refused, the brackets that were open then stay counted on the thread.
// breaks: JSN-0009 fail
#include "wrapped_global.h"

enum { LIMIT = 512 };
static __thread int64_t lost;

/** How deep the brackets of a text go, and how many are open at its end. */
static int64_t depth_of(TVMFFIByteArray text, int64_t* open) {
  int64_t deepest = 0;
  int quoted = 0;
  *open = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const char c = text.data[i];
    if (quoted && c == '\\') ++i;
    else if (c == '"') quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++*open > deepest) deepest = *open;
    else if (!quoted && (c == ']' || c == '}')) --*open;
  }
  return deepest;
}

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1) return call_original(original, args, num_args, result);
  int64_t open;
  const int64_t deepest = depth_of(text_of(&args[0]), &open);
  if (deepest > 0 && lost + deepest > LIMIT) {
    lost = LIMIT;
    return refuse("ValueError", "nested too deep");
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0 && open > 0) lost += open;
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
