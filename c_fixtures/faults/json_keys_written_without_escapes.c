// story: ffi.json.Stringify writes the keys of objects as they are between two quotes, without escapes for quotes, backslashes and line breaks.
// breaks: JSN-0023 fail
#include "answered_text.h"
#include "wrapped_global.h"
static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  const TVMFFIByteArray text = code == 0 ? text_of(result) : (TVMFFIByteArray){"", 0};
  if (code != 0 || !memchr(text.data, '\\', text.size)) return code;
  char* other = malloc(text.size + 1);
  size_t size = 0, i = 0;
  while (i < text.size) {
    other[size++] = text.data[i++];
    if (text.data[i - 1] != '"') continue;
    size_t end = i;
    while (end < text.size && text.data[end] != '"') end += text.data[end] == '\\' ? 2 : 1;
    const int is_key = end + 1 < text.size && text.data[end + 1] == ':';
    for (; i < end; ++i) {
      static const char escapes[] = "\"\\/nrt", plain[] = "\"\\/\n\r\t";
      const char* found = is_key && text.data[i] == '\\' && text.data[i + 1] ? strchr(escapes, text.data[i + 1]) : NULL;
      if (found) {
        other[size++] = plain[found - escapes];
        ++i;
      } else if (text.data[i] == '\\') {
        other[size++] = text.data[i++];
        other[size++] = text.data[i];
      } else {
        other[size++] = text.data[i];
      }
    }
    if (i < text.size) other[size++] = text.data[i++];
  }
  code = answer_instead(result, other, size);
  free(other);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
