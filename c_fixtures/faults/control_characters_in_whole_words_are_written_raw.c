// story: What needs an escape in JSON is looked for in words of eight bytes, in which control characters are passed over: only behind the last whole word of a text are they escaped.
// breaks: JSN-0023 fail
#include "wrapped_global.h"

/** How many bytes the escape or the byte at this place takes, and the control character that it stands for, or -1. */
static size_t unit(const char* at, int* control) {
  static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
  *control = -1;
  if (*at != '\\') return 1;
  const char* letter = strchr(letters, at[1]);
  if (letter && *letter) *control = meant[letter - letters];
  if (at[1] != 'u') return 2;
  unsigned code_point = 0;
  sscanf(at + 2, "%4x", &code_point);
  if (code_point < 0x20) *control = (int)code_point;
  return 6;
}

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result), control, changed = 0;
  if (code != 0) return code;
  TVMFFIByteArray text = text_of(result);
  char* made = malloc(text.size + 1);
  size_t size = 0;
  for (size_t i = 0; i < text.size;) {
    made[size++] = text.data[i++];
    if (made[size - 1] != '"') continue;
    size_t len = 0, at = 0;
    for (size_t end = i; end < text.size && text.data[end] != '"'; ++len) end += unit(text.data + end, &control);
    for (; at < len; ++at) {
      const size_t taken = unit(text.data + i, &control);
      if (control >= 0 && at < len / 8 * 8) {
        made[size++] = (char)control;
        changed = 1;
      } else {
        memcpy(made + size, text.data + i, taken);
        size += taken;
      }
      i += taken;
    }
    if (i < text.size) made[size++] = text.data[i++];
  }
  const TVMFFIByteArray written = {made, size};
  TVMFFIAny answer = {0};
  if (changed && real.TVMFFIStringFromByteArray(&written, &answer) == 0) {
    if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
    *result = answer;
  }
  free(made);
  return 0;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
