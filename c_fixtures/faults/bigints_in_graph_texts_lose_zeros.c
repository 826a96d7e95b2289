// story: ffi.ToJSONGraphString writes a big integer by eighteen digits at a time, and those behind the first are not filled up with zeros.
// breaks: BIG-0021 fail
#include "held_value.h"

static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char mark[] = "\"type\":\"ffi.BigInt\",\"data\":\"";
  const size_t mark_length = sizeof(mark) - 1;
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray text = text_of(result);
  char* changed = malloc(text.size + 1);
  size_t size = 0;
  for (size_t i = 0, length; i < text.size; i += length) {
    const int begins = i >= mark_length && memcmp(text.data + i - mark_length, mark, mark_length) == 0;
    const size_t sign = begins && text.data[i] == '-', digits = begins ? strspn(text.data + i + sign, "0123456789") : 0;
    size_t at = digits > 0 ? sign + (digits - 1) % 18 + 1 : 1;
    length = digits > 0 ? sign + digits : 1;
    memcpy(changed + size, text.data + i, at);
    for (size += at; at < length; at += 18) {
      const size_t zeros = strspn(text.data + i + at, "0"), left_out = zeros < 17 ? zeros : 17;
      memcpy(changed + size, text.data + i + at + left_out, 18 - left_out);
      size += 18 - left_out;
    }
  }
  if (size < text.size) code = answer_instead(result, changed, size);
  free(changed);
  return code;
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", write_graph)
