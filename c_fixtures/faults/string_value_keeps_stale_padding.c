// story: The second word of a String that is an object is not written.
// breaks: STR-0014 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  uint32_t before = out ? out->zero_padding : 0;
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIStr) out->zero_padding = before;
  return code;
}
