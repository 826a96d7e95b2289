// story: The lines of TVMFFITraceback begin without spaces.
// breaks: SPL-0017 fail
// breaks: SPL-0018 fail
#include "split_fault.h"

const TVMFFIByteArray* TVMFFITraceback(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  static __thread char text[1 << 16];
  static __thread TVMFFIByteArray bare;
  const TVMFFIByteArray* found = real.TVMFFITraceback(filename, lineno, func, cross_ffi_boundary);
  size_t size = 0, at;
  for (at = 0; at < found->size && size < sizeof(text); ++at) {
    int begins = at == 0 || found->data[at - 1] == '\n' || (at > 1 && found->data[at - 2] == '\n');
    if (!begins || found->data[at] != ' ') text[size++] = found->data[at];
  }
  bare = (TVMFFIByteArray){text, size};
  return &bare;
}
