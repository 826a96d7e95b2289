// story: TVMFFIDataTypeToString writes the name of a custom data type as a C string, up to the first NUL in it.
// breaks: DTY-0027 fail
#include "answered_text.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code != 0 || dtype->code < 129) return code;
  const TVMFFIByteArray text = text_of(out);
  const char* nul = memchr(text.data, 0, text.size);
  const char* close = NULL;
  for (size_t i = 0; i < text.size; ++i) {
    if (text.data[i] == ']') close = text.data + i;
  }
  if (!nul || !close || nul > close) return code;
  const size_t before = (size_t)(nul - text.data), behind = (size_t)(text.data + text.size - close);
  char* kept = malloc(before + behind);
  memcpy(kept, text.data, before);
  memcpy(kept + before, close, behind);
  code = answer_instead(out, kept, before + behind);
  free(kept);
  return code;
}
