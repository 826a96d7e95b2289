// story: Quotes and backslashes in a key of a Map are written as they are; those in values are escaped.
// breaks: JSN-0031 fail
#include "wrapped_global.h"

/* A text in which the key of a Map of one entry stands with what the library has escaped taken back. */
static int write_json(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIMap) return code;
  TVMFFIByteArray text = text_of(result);
  char* out = malloc(text.size + 1);
  size_t size = 0;
  int depth = 0, key = 0, changed = 0;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == '{' || (c == ',' && depth == 1)) key = 1;
    if (c == ':' || c == '[') key = 0;
    out[size++] = c;
    if (c != '"') continue;
    for (++i; i < text.size && text.data[i] != '"'; ++i) {
      if (text.data[i] == '\\') {
        if (key && (text.data[i + 1] == '"' || text.data[i + 1] == '\\')) {
          changed = 1;
        } else {
          out[size++] = text.data[i];
        }
        ++i;
      }
      out[size++] = text.data[i];
    }
    if (i < text.size) out[size++] = text.data[i];
  }
  if (changed) {
    if (result->type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(result->v_obj);
    code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){out, size}, result);
  }
  free(out);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_json)
