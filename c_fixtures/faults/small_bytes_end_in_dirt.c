// story: The payload bytes that small bytes do not use are left as they were.
// breaks: STR-0005 fail
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  char before[8] = {0};
  if (out) memcpy(before, out->v_bytes, 8);
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFISmallBytes && out->small_str_len > 0) {
    memcpy(out->v_bytes + out->small_str_len, before + out->small_str_len, 8 - out->small_str_len);
  }
  return code;
}
