// story: A C string that becomes a small string is loaded as a signed number: behind a last byte of 0x80 or more the payload is filled with ones.
// breaks: DCL-0021 fail

#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  int from_text = view && view->type_index == kTVMFFIRawStr;
  int code = real.TVMFFIAnyViewToOwnedAny(view, out);
  if (code != 0 || !from_text || out->type_index != kTVMFFISmallStr) return code;
  uint32_t size = out->small_str_len;
  if (size > 0 && size < 8 && (unsigned char)out->v_bytes[size - 1] >= 0x80) {
    int shift = 64 - 8 * (int)size;
    out->v_int64 = (int64_t)(out->v_uint64 << shift) >> shift;
  }
  return 0;
}
