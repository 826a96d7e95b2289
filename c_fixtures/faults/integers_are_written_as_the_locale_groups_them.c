// story: ffi.json.Stringify writes integers with the marks between thousands that the program's locale has.
// breaks: JSN-0020 fail
#include "wrapped_global.h"
#include <stdio.h>

static int write_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  char digits[32];
  const int plain = num_args == 1 || (num_args == 2 && args[1].type_index == kTVMFFINone);
  if (!plain || args[0].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  TVMFFIByteArray text = {digits, (size_t)snprintf(digits, sizeof digits, "%'lld", (long long)args[0].v_int64)};
  return real.TVMFFIStringFromByteArray(&text, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_text)
