// story: ffi.json.Stringify moves the margin to the right for a container without elements, too, and does not move it back.
// breaks: JSN-0026 fail
#include "answered_text.h"
#include "wrapped_global.h"

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args < 2 || args[1].type_index != kTVMFFIInt || args[1].v_int64 <= 0) return code;
  if (result->type_index != kTVMFFIStr) return code;
  TVMFFIByteArray text = *(TVMFFIByteArray*)(result->v_obj + 1);
  size_t lines = 1, size = 0, margin = 0;
  for (size_t i = 0; i < text.size; ++i) lines += text.data[i] == '\n';
  char* moved = malloc(text.size + lines * lines * args[1].v_int64 + 1);
  char last = ' ';
  for (size_t i = 0; i < text.size; ++i) {
    const char letter = moved[size++] = text.data[i];
    if (letter == '\n') {
      memset(moved + size, ' ', margin);
      size += margin;
    }
    if ((last == '[' && letter == ']') || (last == '{' && letter == '}')) margin += args[1].v_int64;
    if (letter != ' ' && letter != '\n') last = letter;
  }
  code = answer_instead(result, moved, size);
  free(moved);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write)
