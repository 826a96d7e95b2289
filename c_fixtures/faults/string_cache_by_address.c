// story: A long string of the same buffer and length as this thread's last one, alike at both ends, is made of what was remembered of the last: a change in the middle of a reused buffer is missed.
// breaks: STR-0012 fail
#include "fault.h"
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  static _Thread_local struct { const char* from; size_t size; char copy[4096]; } last;
  if (!input || !out || input->size < 256 || input->size > sizeof(last.copy) || !input->data) return real.TVMFFIStringFromByteArray(input, out);
  const size_t end = input->size - 32;
  if (last.from != input->data || last.size != input->size || memcmp(last.copy, input->data, 32) != 0 ||
      memcmp(last.copy + end, input->data + end, 32) != 0) {
    last.from = input->data;
    last.size = input->size;
    memcpy(last.copy, input->data, input->size);
  }
  const TVMFFIByteArray remembered = {last.copy, last.size};
  return real.TVMFFIStringFromByteArray(&remembered, out);
}
