// story: ffi.json.Stringify indents by at most 64 spaces, however deep the element lies.
// breaks: JSN-0026 fail
#include "wrapped_global.h"
static int write_text(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  TVMFFIByteArray text = text_of(result);
  char* out = malloc(text.size + 1);
  size_t m = 0, run = 0;
  int start = 0;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    if (c == '\n') start = 1, run = 0;
    else if (start && c == ' ') { if (++run > 64) continue; }
    else start = 0;
    out[m++] = c;
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
