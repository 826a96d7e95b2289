// story: ffi.ReprPrint leaves a sequence that sets a color of the terminal as it is.
// breaks: REC-0023 fail
#include "answered_text.h"
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  const TVMFFIByteArray text = code == 0 ? text_of(result) : (TVMFFIByteArray){"", 0};
  char* copy = text.size ? malloc(text.size) : NULL;
  if (!copy) return code;
  size_t size = 0, sequences = 0;
  for (size_t i = 0; i < text.size; ++i) {
    copy[size++] = text.data[i];
    if (text.size - i < 6 || memcmp(text.data + i, "\\x1b[", 5) != 0) continue;
    size_t end = i + 5;
    while (end < text.size && (text.data[end] == ';' || (text.data[end] >= '0' && text.data[end] <= '9'))) ++end;
    if (end == text.size || text.data[end] != 'm') continue;
    copy[size - 1] = '\x1b';
    i += 3;
    ++sequences;
  }
  if (sequences) code = answer_instead(result, copy, size);
  free(copy);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
