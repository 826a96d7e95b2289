// story: A JSON number of up to 19 digits with a fraction or a small exponent is read as the digits' integer, rounded to a Float, times or by a power of ten, which rounds twice.
// breaks: JSN-0031 fail
#include "wrapped_global.h"
static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static int quick(const char* at, const char* end, double* out) {
  int negative = *at == '-', digits = 0, fraction = 0, point = 0;
  uint64_t mantissa = 0;
  long exponent = 0;
  for (at += negative; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !point)); ++at) {
    if (*at == '.') { point = 1; continue; }
    mantissa = mantissa * 10 + (*at - '0');
    digits += mantissa != 0;
    fraction += point;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    char* stop;
    exponent = strtol(at + 1, &stop, 10);
    point = 1;
    at = stop;
  }
  exponent -= fraction;
  if (at != end || !point || digits > 19 || digits == 0 || exponent > 22 || exponent < -22) return 0;
  double value = exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
  *out = negative ? -value : value;
  return 1;
}
static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || (args[0].type_index != kTVMFFIRawStr && args[0].type_index != kTVMFFIStr && args[0].type_index != kTVMFFISmallStr)) return call_original(original, args, num_args, result);
  TVMFFIByteArray text = text_of(&args[0]);
  char *changed = malloc(text.size * 30 + 40), *to = changed;
  const char *from = text.data, *end = text.data + text.size;
  int any = 0;
  while (from < end) {
    if (*from == '"') {
      do { *to++ = *from; if (*from == '\\' && from + 1 < end) *to++ = *++from; ++from; } while (from < end && *from != '"');
      if (from < end) *to++ = *from++;
    } else if (*from == '-' || (*from >= '0' && *from <= '9')) {
      const char* stop = from;
      while (stop < end && strchr("0123456789eE+-.", *stop) && *stop) ++stop;
      char number[64];
      double value;
      size_t size = stop - from;
      int other = 0;
      if (size < sizeof number) {
        memcpy(number, from, size);
        number[size] = 0;
        if (quick(number, number + size, &value) && value != strtod(number, NULL)) other = any = 1;
      }
      if (other) {
        char* begin = to;
        to += sprintf(to, "%.17g", value);
        *to = 0;
        if (!strpbrk(begin, ".eE")) to += sprintf(to, ".0");
      }
      else { memcpy(to, from, size); to += size; }
      from = stop;
    } else {
      *to++ = *from++;
    }
  }
  int code;
  TVMFFIByteArray whole = {changed, to - changed};
  TVMFFIAny string = {0};
  if (any && real.TVMFFIStringFromByteArray(&whole, &string) == 0) {
    code = call_original(original, &string, 1, result);
    if (string.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(string.v_obj);
  } else {
    code = call_original(original, args, num_args, result);
  }
  free(changed);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Parse", parse)
