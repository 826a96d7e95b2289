// story: A short C string is copied into the result with its NUL and no further: behind it stays what the None there had in its payload.
// breaks: ANY-0024 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  const TVMFFIAny before = out ? *out : (TVMFFIAny){0};
  const int from_text = view && view->type_index == kTVMFFIRawStr;
  int code = real.TVMFFIAnyViewToOwnedAny(view, out);
  if (code != 0 || !from_text || before.type_index != kTVMFFINone || out->type_index != kTVMFFISmallStr) return code;
  for (size_t i = out->small_str_len + 1; i < 8; ++i) out->v_bytes[i] = before.v_bytes[i];
  return 0;
}
