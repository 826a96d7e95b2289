// story: The second word of the result stays as it was.
// breaks: BIG-0013 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  uint32_t padding = out != NULL ? out->zero_padding : 0;
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code == 0) out->zero_padding = padding;
  return code;
}
