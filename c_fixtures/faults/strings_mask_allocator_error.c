// story: Where an allocator fails, the making of a String replaces the error that the allocator raised with a MemoryError of its own.
// breaks: ALC-0013 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 || !input || !input->data || input->size < 8 || input->size > 1 << 20) return code;
  return refuse("MemoryError", "no memory for a string");
}
