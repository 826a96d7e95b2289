/* Faults in the words that a text is written with: `with_another_word` is the callee's whole work. */
#ifndef TVM_FFI_REPLACED_WORD_H_
#define TVM_FFI_REPLACED_WORD_H_

#include "wrapped_global.h"

/** Has the original write a text, and puts a word of the same length in the place of one in it. */
static inline int with_another_word(const char* old, const char* other, void* original, const TVMFFIAny* args,
                                    int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {.type_index = kTVMFFINone};
  int code = call_original(original, args, num_args, &text);
  if (code != 0) return code;
  const TVMFFIByteArray bytes = text_of(&text);
  const size_t length = strlen(old);
  char* copy = malloc(bytes.size + 1);
  memcpy(copy, bytes.data, bytes.size);
  for (size_t i = 0; i + length <= bytes.size; ++i) {
    if (memcmp(copy + i, old, length) == 0) memcpy(copy + i, other, length);
  }
  const TVMFFIByteArray whole = {copy, bytes.size};
  code = real.TVMFFIStringFromByteArray(&whole, result);
  free(copy);
  if (text.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(text.v_obj);
  return code;
}

#endif /* TVM_FFI_REPLACED_WORD_H_ */
