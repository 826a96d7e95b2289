// story: Strings that are objects are cleaned when they are made: an encoded surrogate becomes question marks.
// breaks: STR-0010 fail
#include "fault.h"
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size <= 7) return real.TVMFFIStringFromByteArray(input, out);
  const unsigned char* s = (const unsigned char*)input->data;
  size_t i = 0, n = input->size;
  while (i + 2 < n && !(s[i] == 0xED && s[i + 1] >= 0xA0 && s[i + 1] <= 0xBF)) ++i;
  if (i + 2 >= n) return real.TVMFFIStringFromByteArray(input, out);
  char* copy = malloc(n);
  if (!copy) return refuse("MemoryError", "out of memory");
  memcpy(copy, s, n);
  for (; i + 2 < n; ++i) {
    if (s[i] == 0xED && s[i + 1] >= 0xA0 && s[i + 1] <= 0xBF) memset(copy + i, '?', 3), i += 2;
  }
  TVMFFIByteArray cleaned = {copy, n};
  int code = real.TVMFFIStringFromByteArray(&cleaned, out);
  free(copy);
  return code;
}
