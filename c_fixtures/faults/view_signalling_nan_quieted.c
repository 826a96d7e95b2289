// story: Making an owned value of a float goes through an addition, which turns a signalling NaN into a quiet one.
// breaks: ANY-0004 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIFloat && out->v_float64 != out->v_float64) out->v_uint64 |= 1ull << 51;
  return code;
}
