// story: The keys of a JSON object are written as C strings: one with a NUL in it loses what follows.
// breaks: JSN-0031 fail
#include "wrapped_global.h"
static int stringify(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0) return code;
  const TVMFFIAny whole = *result;
  const TVMFFIByteArray text = text_of(&whole);
  char* to = malloc(text.size + 1);
  size_t size = 0;
  for (size_t i = 0; i < text.size;) {
    if (text.data[i] != '"') { to[size++] = text.data[i++]; continue; }
    size_t end = i + 1, cut = 0;
    for (; text.data[end] != '"'; end += text.data[end] == '\\' ? 2 : 1) {
      if (!cut && end + 6 <= text.size && memcmp(text.data + end, "\\u0000", 6) == 0) cut = end;
    }
    int key = end + 1 < text.size && text.data[end + 1] == ':';
    size_t kept = (key && cut ? cut : end) - i;
    memcpy(to + size, text.data + i, kept);
    size += kept;
    to[size++] = '"';
    i = end + 1;
  }
  const TVMFFIByteArray changed = {to, size};
  *result = (TVMFFIAny){0};
  code = real.TVMFFIStringFromByteArray(&changed, result);
  if (whole.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(whole.v_obj);
  free(to);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
