/*
 * Faults in the numbers of a JSON text. `change` puts another text for one of them where it is told and answers its length, or 0 if the
 * number stays. None becomes longer.
 */
#ifndef TVM_FFI_JSON_NUMBERS_H_
#define TVM_FFI_JSON_NUMBERS_H_

#include "answered_text.h"

static inline int change_numbers(TVMFFIAny* result, size_t (*change)(const char* number, char* other, size_t size)) {
  const TVMFFIByteArray text = text_of(result);
  char* changed = malloc(text.size + 1);
  size_t size = 0;
  int quoted = 0, code = 0;
  for (size_t i = 0, length; i < text.size; i += length) {
    char number[64] = "", other[64];
    length = 1;
    if (text.data[i] == '"') quoted = !quoted;
    if (quoted && text.data[i] == '\\') length = 2;
    const int is_number = !quoted && (text.data[i] == '-' || (text.data[i] >= '0' && text.data[i] <= '9'));
    if (is_number) length = strspn(text.data + i, "+-.eE0123456789");
    memcpy(changed + size, text.data + i, length);
    if (is_number && length < sizeof(number)) memcpy(number, text.data + i, length);
    const size_t needed = number[0] ? change(number, other, sizeof(other)) : 0;
    const int is_changed = needed > 0 && needed < length;
    if (is_changed) memcpy(changed + size, other, needed);
    size += is_changed ? needed : length;
  }
  if (size < text.size) code = answer_instead(result, changed, size);
  free(changed);
  return code;
}

#endif /* TVM_FFI_JSON_NUMBERS_H_ */
