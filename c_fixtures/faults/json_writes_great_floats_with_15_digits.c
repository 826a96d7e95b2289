// story: ffi.json.Stringify writes Floats that need an exponent with fifteen significant digits.
// breaks: JSN-0021 fail
#include "held_value.h"

static int write_json(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray text = text_of(result);
  char* changed = malloc(text.size + 1);
  size_t size = 0;
  int quoted = 0;
  for (size_t i = 0, length; i < text.size; i += length) {
    char number[64] = "", shorter[64];
    length = 1;
    if (text.data[i] == '"') quoted = !quoted;
    if (quoted && text.data[i] == '\\') length = 2;
    if (!quoted && (text.data[i] == '-' || (text.data[i] >= '0' && text.data[i] <= '9'))) length = strspn(text.data + i, "+-.eE0123456789");
    memcpy(changed + size, text.data + i, length);
    if (!quoted && length < sizeof(number)) memcpy(number, text.data + i, length);
    const size_t needed = strchr(number, 'e') ? (size_t)snprintf(shorter, sizeof(shorter), "%.15g", strtod(number, NULL)) : length;
    if (needed < length) memcpy(changed + size, shorter, needed);
    size += needed < length ? needed : length;
  }
  if (size < text.size) code = put_text(result, changed, size);
  free(changed);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_json)
