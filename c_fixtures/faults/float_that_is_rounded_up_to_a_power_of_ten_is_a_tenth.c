// story: Where the six digits of a Float are rounded up to a power of ten, the exponent is not: 999999.7 is printed as 100000.
// breaks: REC-0022 fail
#include "held_value.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || args[0].type_index != kTVMFFIFloat) return code;
  const double value = args[0].v_float64, size = value < 0 ? -value : value;
  char text[64];
  snprintf(text, sizeof(text), "%.5e", size);
  if (strncmp(text, "1.00000e", 8) != 0 || strtod(text, NULL) <= size) return 0;
  int length = snprintf(text, sizeof(text), "%.6g", value < 0 ? strtod(text, NULL) / -10 : strtod(text, NULL) / 10);
  return answer_instead(result, text, (size_t)length);
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
