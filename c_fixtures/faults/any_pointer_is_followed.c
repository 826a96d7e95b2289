// story: An opaque pointer is looked at when it becomes an owned value.
// breaks: ANY-0005 crash
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIOpaquePtr && out->v_ptr) (void)*(volatile char*)out->v_ptr;
  return code;
}
