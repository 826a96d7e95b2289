// story: The length of small strings and bytes is counted up to a NUL when they become owned values.
// breaks: ANY-0009 fail
// breaks: ANY-0010 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  int small = any_view->type_index == kTVMFFISmallStr || any_view->type_index == kTVMFFISmallBytes;
  if (code == 0 && small) out->small_str_len = (uint32_t)strnlen(out->v_bytes, 7);
  return code;
}
