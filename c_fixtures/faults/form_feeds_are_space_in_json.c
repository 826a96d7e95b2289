// story: ffi.json.Parse skips what isspace() calls space: a form feed or a vertical tab between the tokens of a text is no error.
// breaks: JSN-0039 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (!memchr(text.data, '\f', text.size) && !memchr(text.data, '\v', text.size)) return call_original(original, args, num_args, result);
  char* changed = memcpy(malloc(text.size + 1), text.data, text.size);
  int in_string = 0;
  for (size_t i = 0; i < text.size; ++i) {
    if (in_string && changed[i] == '\\') {
      ++i;
    } else if (changed[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && (changed[i] == '\f' || changed[i] == '\v')) {
      changed[i] = ' ';
    }
  }
  const TVMFFIByteArray other = {changed, text.size};
  TVMFFIAny string = {0};
  int code = real.TVMFFIStringFromByteArray(&other, &string);
  free(changed);
  if (code == 0) code = call_original(original, &string, 1, result);
  if (string.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(string.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
