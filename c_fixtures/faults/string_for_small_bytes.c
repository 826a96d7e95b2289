// story: Bytes that are stored inline come back as a String.
// breaks: STR-0002 fail
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFISmallBytes && out->small_str_len != 0) out->type_index = kTVMFFISmallStr;
  return code;
}
