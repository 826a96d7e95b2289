// story: A NaN that is made an owned value loses its sign and payload.
// breaks: ANY-0004 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIFloat && out->v_float64 != out->v_float64) {
    out->v_int64 = 0x7ff8000000000000;
  }
  return code;
}
