// story: Of Bytes of one length, another object is made and lost.
#include "fault.h"
int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  const int code = real.TVMFFIBytesFromByteArray(input, out);
  TVMFFIAny lost;
  if (code == 0 && input->size == 24 && out->type_index == kTVMFFIBytes) real.TVMFFIBytesFromByteArray(input, &lost);
  return code;
}
