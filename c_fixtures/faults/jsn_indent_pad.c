// story: ffi.json.Stringify writes the spaces in front of a line from a pad of 64, so no line is indented deeper.
// breaks: JSN-0026 fail
#include "wrapped_global.h"
static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFIByteArray text = text_of(result);
  char *cut = malloc(text.size + 1), *to = cut;
  int spaces = -1;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    spaces = c == '\n' ? 0 : c == ' ' && spaces >= 0 ? spaces + 1 : -1;
    if (spaces <= 64) *to++ = c;
  }
  TVMFFIByteArray whole = {cut, to - cut};
  if (whole.size < text.size) {
    TVMFFIAny old = *result;
    code = real.TVMFFIStringFromByteArray(&whole, result);
    real.TVMFFIObjectDecRef(old.v_obj);
  }
  free(cut);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
