// story: An owned value of an object is made without writing the result's second word.
// breaks: ANY-0023 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  uint32_t before = out->zero_padding;
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index >= kTVMFFIStaticObjectBegin) out->zero_padding = before;
  return code;
}
