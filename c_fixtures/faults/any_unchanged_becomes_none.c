// story: The marker of an unchanged value becomes None as an owned value.
// breaks: ANY-0011 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIUnchanged) out->type_index = kTVMFFINone;
  return code;
}
