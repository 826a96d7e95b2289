// story: The room for a String object is rounded up to blocks of 64 bytes, and a text that fills them exactly is followed by no NUL.
// breaks: STR-0007 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray content = text_of(out);
  if (content.size % 64 == 0) ((char*)content.data)[content.size] = 'A';
  return 0;
}
