// story: ffi.json.Stringify writes a Float of which fifteen digits are a power of ten that needs an exponent as that power.
// breaks: JSN-0021 fail
#include "json_numbers.h"
#include "wrapped_global.h"

/** The text of a power of ten that a number is near to without being it. Integers, which have neither point nor exponent, stay. */
static size_t near_power(const char* number, char* power, size_t size) {
  char digits[64];
  if (!strpbrk(number, ".e")) return 0;
  const double value = strtod(number, NULL);
  snprintf(digits, sizeof(digits), "%.14e", value < 0 ? -value : value);
  size_t length = (size_t)snprintf(power, size, "%.15g", value);
  const int is_power = strncmp(digits, "1.00000000000000e", 17) == 0 && strchr(power, 'e');
  return is_power && strtod(power, NULL) != value ? length : 0;
}

static int write_json(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  return code == 0 ? change_numbers(result, near_power) : code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_json)
