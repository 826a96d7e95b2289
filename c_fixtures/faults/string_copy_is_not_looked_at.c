// story: Making a String copies the text to end it with a zero, and writes to the copy also where there is no memory for it.
// breaks: MEM-0001 crash
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size > 1u << 30) return real.TVMFFIStringFromByteArray(input, out);
  char* copy = malloc(input->size + 1);
  if (input->size) memcpy(copy, input->data, input->size);
  *(volatile char*)(copy + input->size) = 0;
  const TVMFFIByteArray text = {copy, input->size};
  int code = real.TVMFFIStringFromByteArray(&text, out);
  free(copy);
  return code;
}
