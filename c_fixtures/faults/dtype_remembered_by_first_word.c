// story: The data type that was read last is remembered by the length of its text and the text's first eight bytes.
// breaks: DTY-0010 fail
#include "fault.h"

static __thread char first[8];
static __thread size_t length;
static __thread DLDataType last;

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  const int is_long = text && text->data && out && text->size > 8;
  if (is_long && text->size == length && memcmp(text->data, first, 8) == 0) {
    *out = last;
    return 0;
  }
  int code = real.TVMFFIDataTypeFromString(text, out);
  if (code == 0 && is_long) {
    memcpy(first, text->data, 8);
    length = text->size;
    last = *out;
  }
  return code;
}
