// story: An integer passes through a double on its way into an owned value.
// breaks: ANY-0002 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIInt && llabs(out->v_int64) < (int64_t)1 << 62) {
    out->v_int64 = (int64_t)(double)out->v_int64;
  }
  return code;
}
