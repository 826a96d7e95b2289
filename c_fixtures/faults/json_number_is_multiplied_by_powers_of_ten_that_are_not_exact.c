// story: A JSON number of few digits is multiplied by its power of ten where that is at most 37, but only the powers to 22 are exact: others are rounded twice.
// breaks: JSN-0003 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const double powers[] = {1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFloat) return code;
  const TVMFFIByteArray text = text_of(&args[0]);
  char number[32] = {0}, *end;
  if (text.size >= sizeof(number)) return code;
  memcpy(number, text.data, text.size);
  const long digits = strtol(number, &end, 10);
  if ((*end != 'e' && *end != 'E') || digits > 9007199254740992 || digits < -9007199254740992) return code;
  const long power = strtol(end + 1, &end, 10);
  if (power < 23 || power > 37) return code;
  result->v_float64 = (double)digits * powers[power - 23];
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
