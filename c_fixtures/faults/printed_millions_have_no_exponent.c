// story: A float that is rounded up to a million is printed with seven digits and without an exponent.
// breaks: REC-0022 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || args[0].type_index != kTVMFFIFloat || args[0].v_float64 >= 1e6) return code;
  const TVMFFIByteArray text = text_of(result), million = {"1000000", 7};
  return is(&text, "1e+06") ? real.TVMFFIStringFromByteArray(&million, result) : 0;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
