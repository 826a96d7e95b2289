// story: Making Bytes asks for two pieces of memory and keeps the first where the second is refused.
// breaks: MEM-0003 leak
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size > 1u << 30) return real.TVMFFIBytesFromByteArray(input, out);
  char* content = malloc(input->size + 1);
  if (!content) return refuse("MemoryError", "no memory for bytes");
  TVMFFIByteArray* cell = malloc(sizeof(TVMFFIByteArray));
  if (!cell) return refuse("MemoryError", "no memory for bytes");
  if (input->size) memcpy(content, input->data, input->size);
  *cell = (TVMFFIByteArray){content, input->size};
  int code = real.TVMFFIBytesFromByteArray(cell, out);
  free(cell);
  free(content);
  return code;
}
