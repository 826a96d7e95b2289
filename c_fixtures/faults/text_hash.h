/* The hash of a text as a key, as clients compute it. */
#ifndef TVM_FFI_TEXT_HASH_H_
#define TVM_FFI_TEXT_HASH_H_

#include "fault.h"

static inline uint64_t hash_of(TVMFFIByteArray text) {
  uint64_t hash = 0;
  for (size_t at = 0; at < text.size; at += 8) {
    uint64_t word = 0;
    memcpy(&word, text.data + at, text.size - at < 8 ? text.size - at : 8);
    hash = (hash * 1099511628211u + word) % 2147483647u;
  }
  return hash;
}

#endif /* TVM_FFI_TEXT_HASH_H_ */
