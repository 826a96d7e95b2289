// story: Errors cannot be raised from C strings, and the length of a small string counts the NUL behind it.
// lacks: TVMFFIErrorSetRaisedFromCStr
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFISmallStr && out->small_str_len > 3 && out->small_str_len < 7) {
    out->small_str_len++;
  }
  return code;
}
