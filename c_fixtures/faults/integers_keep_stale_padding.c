// story: An integer is made an owned value without writing the result's second word.
// breaks: ANY-0021 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  uint32_t stale = out ? out->zero_padding : 0;
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIInt) out->zero_padding = stale;
  return code;
}
