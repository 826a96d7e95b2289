// story: ffi.json.Stringify writes a key up to its first NUL; other strings are written whole.
// breaks: JSN-0031 fail

#include "answered_text.h"
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIByteArray text = code == 0 ? text_of(result) : (TVMFFIByteArray){"", 0};
  char* copy = text.size ? malloc(text.size) : NULL;
  if (!copy) return code;
  size_t size = 0, cut = 0;
  int in_string = 0;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    copy[size++] = c;
    if (c == '"') {
      in_string = !in_string;
      if (!in_string && cut && i + 1 < text.size && text.data[i + 1] == ':') {
        size = cut;
        copy[size++] = '"';
      }
      cut = 0;
    } else if (in_string && c == '\\') {
      if (!cut && i + 5 < text.size && memcmp(text.data + i, "\\u0000", 6) == 0) cut = size - 1;
      copy[size++] = text.data[++i];
    }
  }
  code = answer_instead(result, copy, size);
  free(copy);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
