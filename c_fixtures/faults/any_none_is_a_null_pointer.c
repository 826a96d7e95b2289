// story: None becomes an owned value that says it is a pointer, to NULL.
// breaks: ANY-0001 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && any_view->type_index == kTVMFFINone) out->type_index = kTVMFFIOpaquePtr;
  return code;
}
