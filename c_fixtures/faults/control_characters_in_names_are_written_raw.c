// story: The names of a JSON object are written with quotes and backslashes escaped, but control characters as they are.
// breaks: JSN-0031 fail
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFIByteArray text = text_of(result);
  char* made = malloc(text.size + 1);
  size_t size = 0;
  for (size_t i = 0; i < text.size;) {
    if (text.data[i] != '"') {
      made[size++] = text.data[i++];
      continue;
    }
    size_t end = i + 1;
    while (end < text.size && text.data[end] != '"') end += text.data[end] == '\\' ? 2 : 1;
    int name = end + 1 < text.size && text.data[end + 1] == ':';
    while (i <= end && i < text.size) {
      if (name && i + 6 <= end && memcmp(text.data + i, "\\u00", 4) == 0) {
        unsigned code_point = 0;
        sscanf(text.data + i + 4, "%2x", &code_point);
        made[size++] = (char)code_point;
        i += 6;
      } else if (text.data[i] == '\\') {
        made[size++] = text.data[i++];
        made[size++] = text.data[i++];
      } else {
        made[size++] = text.data[i++];
      }
    }
  }
  const TVMFFIByteArray changed = {made, size};
  TVMFFIAny answer = {0};
  code = real.TVMFFIStringFromByteArray(&changed, &answer);
  free(made);
  if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
  *result = answer;
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
