// story: True becomes an owned value with all bits set.
// breaks: ANY-0003 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIBool) out->v_int64 = -out->v_int64;
  return code;
}
