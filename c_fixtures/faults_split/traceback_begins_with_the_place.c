// story: TVMFFITraceback gives the most recent call first, as later builds do.
// breaks: SPL-0018 fail
#include "split_fault.h"

const TVMFFIByteArray* TVMFFITraceback(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  static __thread char text[1 << 16];
  static __thread TVMFFIByteArray turned;
  const TVMFFIByteArray* found = real.TVMFFITraceback(filename, lineno, func, cross_ffi_boundary);
  size_t end = found->size, size = 0;
  while (end > 0) {
    size_t begin = end - 1;
    while (begin > 0 && found->data[begin - 1] != '\n') --begin;
    if (size + end - begin < sizeof(text)) memcpy(text + size, found->data + begin, end - begin), size += end - begin;
    end = begin;
  }
  text[size] = 0;
  turned = (TVMFFIByteArray){text, size};
  return &turned;
}
