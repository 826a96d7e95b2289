// story: ffi.json.Stringify writes a Float of which fifteen digits are a power of ten that needs an exponent as that power.
// breaks: JSN-0021 fail
#include "held_value.h"

/** The text of a power of ten that a number is near to without being it; of no length if there is none. */
static size_t near_power(const char* number, char* power, size_t size) {
  char digits[64];
  const double value = strtod(number, NULL);
  snprintf(digits, sizeof(digits), "%.14e", value < 0 ? -value : value);
  size_t length = (size_t)snprintf(power, size, "%.15g", value);
  const int is_power = strncmp(digits, "1.00000000000000e", 17) == 0 && strchr(power, 'e');
  return is_power && strtod(power, NULL) != value ? length : 0;
}

static int write_json(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray text = text_of(result);
  char* changed = malloc(text.size + 1);
  size_t size = 0;
  int quoted = 0;
  for (size_t i = 0, length; i < text.size; i += length) {
    char number[64] = "", power[64];
    length = 1;
    if (text.data[i] == '"') quoted = !quoted;
    if (quoted && text.data[i] == '\\') length = 2;
    if (!quoted && (text.data[i] == '-' || (text.data[i] >= '0' && text.data[i] <= '9'))) length = strspn(text.data + i, "+-.eE0123456789");
    memcpy(changed + size, text.data + i, length);
    if (!quoted && length < sizeof(number)) memcpy(number, text.data + i, length);
    /* Integers have neither point nor exponent. */
    const size_t needed = strpbrk(number, ".e") ? near_power(number, power, sizeof(power)) : 0;
    const int is_near = needed > 0 && needed < length;
    if (is_near) memcpy(changed + size, power, needed);
    size += is_near ? needed : length;
  }
  if (size < text.size) code = put_text(result, changed, size);
  free(changed);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write_json)
