// story: A field of floats that holds an infinity or a NaN stands in its object's node as null, as JSON has neither.
// breaks: GRF-0027 fail
#define _GNU_SOURCE
#include "wrapped_global.h"

static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char* const names[] = {"-Infinity", "Infinity", "NaN"};
  TVMFFIAny text = {0};
  int code = call_original(original, args, num_args, &text);
  const TVMFFIByteArray bytes = text_of(&text);
  if (code != 0 || (!memmem(bytes.data, bytes.size, ":Infinity", 9) && !memmem(bytes.data, bytes.size, ":NaN", 4) && !memmem(bytes.data, bytes.size, ":-Infinity", 10))) {
    *result = text;
    return code;
  }
  char* copy = malloc(bytes.size + 5);
  size_t length = 0;
  int quoted = 0;
  for (size_t i = 0; i < bytes.size; ++i) {
    if (bytes.data[i] == '"' && (i == 0 || bytes.data[i - 1] != '\\')) quoted = !quoted;
    copy[length++] = bytes.data[i];
    if (quoted || bytes.data[i] != ':' || (length >= 7 && memcmp(copy + length - 7, "\"data\":", 7) == 0)) continue;
    for (int n = 0; n < 3; ++n) {
      const size_t size = strlen(names[n]);
      if (bytes.size - i - 1 < size || memcmp(bytes.data + i + 1, names[n], size) != 0) continue;
      memcpy(copy + length, "null", 4);
      length += 4;
      i += size;
      break;
    }
  }
  code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){copy, length}, result);
  free(copy);
  if (text.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(text.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", write_graph)
