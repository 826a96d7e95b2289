// story: When sign words are trimmed and the integer becomes a plain Int after all, only its type and payload are written, and a small string's length stays in the second word.
// breaks: BIG-0013 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  const uint32_t second = out ? out->zero_padding : 0;
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code == 0 && input->size > 8 && out->type_index == kTVMFFIInt) out->zero_padding = second;
  return code;
}
