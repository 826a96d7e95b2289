// story: ffi.json.Stringify takes its indents from a row of 64 spaces, so what lies deeper stands no further to the right.
// breaks: JSN-0026 fail
#include "answered_text.h"
#include "wrapped_global.h"

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIStr) return code;
  TVMFFIByteArray text = *(TVMFFIByteArray*)(result->v_obj + 1);
  char* copy = malloc(text.size + 1);
  size_t size = 0, spaces = 0;
  for (size_t i = 0; i < text.size; ++i) {
    if (text.data[i] == '\n') spaces = 1;
    else if (spaces && text.data[i] == ' ') {
      if (spaces++ > 64) continue;
    } else spaces = 0;
    copy[size++] = text.data[i];
  }
  code = answer_instead(result, copy, size);
  free(copy);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write)
