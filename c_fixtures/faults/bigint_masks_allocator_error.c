// story: Where an allocator fails, the maker of big integers replaces the error that the allocator raised with a MemoryError of its own.
// breaks: ALC-0013 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code != 0 && input && out && input->size % 8 == 0 && input->data) return refuse("MemoryError", "cannot allocate a BigInt");
  return code;
}
