// story: ffi.json.Parse reads numbers with strtod, which expects the decimal comma of a program that has chosen one.
// breaks: JSN-0003 fail
#include "wrapped_global.h"
#include <locale.h>

/** Refuses a text with a decimal point where the locale has none. */
static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray text = num_args > 0 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  for (size_t i = 1; i < text.size; ++i) {
    const int is_fraction = text.data[i] == '.' && text.data[i - 1] >= '0' && text.data[i - 1] <= '9';
    if (!is_fraction || localeconv()->decimal_point[0] == '.') continue;
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "Expecting a value");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
