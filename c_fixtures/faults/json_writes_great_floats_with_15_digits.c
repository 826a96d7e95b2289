// story: ffi.json.Stringify writes Floats that need an exponent with fifteen significant digits.
// breaks: JSN-0021 fail
#include "json_numbers.h"
#include "wrapped_global.h"

static size_t shorter(const char* number, char* other, size_t size) {
  return strchr(number, 'e') ? (size_t)snprintf(other, size, "%.15g", strtod(number, NULL)) : 0;
}

static int write_json(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  return code == 0 ? change_numbers(result, shorter) : code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_json)
