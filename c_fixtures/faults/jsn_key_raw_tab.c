// story: ffi.json.Stringify writes tabs and line breaks in the keys of a Map as they are and not as escapes.
// breaks: JSN-0031 fail
#include "wrapped_global.h"
static int write_text(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  TVMFFIByteArray text = text_of(result);
  char* out = malloc(text.size + 1);
  size_t m = 0;
  for (size_t i = 0; i < text.size;) {
    if (text.data[i] != '"') { out[m++] = text.data[i++]; continue; }
    size_t end = i + 1;
    while (end < text.size && text.data[end] != '"') end += text.data[end] == '\\' ? 2 : 1;
    int key = end + 1 < text.size && text.data[end + 1] == ':';
    while (i <= end && i < text.size) {
      if (key && text.data[i] == '\\' && (text.data[i + 1] == 't' || text.data[i + 1] == 'n')) out[m++] = text.data[i + 1] == 't' ? '\t' : '\n', i += 2;
      else if (text.data[i] == '\\') out[m++] = text.data[i++], out[m++] = text.data[i++];
      else out[m++] = text.data[i++];
    }
  }
  if (m != text.size) {
    TVMFFIByteArray cut = {out, m};
    TVMFFIAny made;
    if (real.TVMFFIStringFromByteArray(&cut, &made) == 0) {
      if (result->type_index >= 64) real.TVMFFIObjectDecRef(result->v_obj);
      *result = made;
    }
  }
  free(out);
  return 0;
}
WRAPPED_GLOBAL("ffi.json.Stringify", write_text)
