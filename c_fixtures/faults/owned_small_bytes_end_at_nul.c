// story: The owned value of small bytes gets its length from strnlen, and so ends at the first zero.
// breaks: ANY-0010 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(view, out);
  if (code == 0 && out->type_index == kTVMFFISmallBytes) {
    size_t n = strnlen(out->v_bytes, out->small_str_len);
    memset(out->v_bytes + n, 0, 8 - n);
    out->small_str_len = (uint32_t)n;
  }
  return code;
}
