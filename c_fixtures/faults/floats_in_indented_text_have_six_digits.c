// story: ffi.json.Stringify writes floats with six digits where it indents, for people to read.
// breaks: JSN-0021 fail
// breaks: JSN-0031 fail
#include "wrapped_global.h"
static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || args[1].type_index != kTVMFFIInt || args[1].v_int64 <= 0) return code;
  const TVMFFIAny whole = *result;
  const TVMFFIByteArray in = text_of(&whole);
  char* out = malloc(in.size * 2 + 32);
  size_t size = 0;
  int inside = 0;
  for (size_t i = 0; i < in.size;) {
    size_t end = i;
    while (!inside && end < in.size && in.data[end] && strchr("+-.0123456789eE", in.data[end])) ++end;
    const size_t length = end - i;
    if (length > 8 && length < 40 && memchr(in.data + i, '.', length)) {
      char number[64];
      memcpy(number, in.data + i, length);
      number[length] = 0;
      size += (size_t)sprintf(out + size, "%.6g", strtod(number, NULL));
      i = end;
      continue;
    }
    if (inside && in.data[i] == '\\') out[size++] = in.data[i++];
    else if (in.data[i] == '"') inside = !inside;
    if (length) { memcpy(out + size, in.data + i, length); size += length; i = end; }
    else out[size++] = in.data[i++];
  }
  const TVMFFIByteArray text = {out, size};
  code = real.TVMFFIStringFromByteArray(&text, result);
  free(out);
  if (whole.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
