// story: Long strings are remembered by their length and every sixteenth byte, for the thread's next one: one that is alike there gets the content of the last.
// breaks: STR-0012 fail
#include "fault.h"

static __thread char last[1024];
static __thread size_t last_size;

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || !out || input->size < 256 || input->size > sizeof(last)) return real.TVMFFIStringFromByteArray(input, out);
  size_t i = 0;
  if (input->size == last_size) {
    while (i < last_size && input->data[i] == last[i]) i += 16;
  }
  if (input->size != last_size || i < last_size) {
    last_size = input->size;
    memcpy(last, input->data, last_size);
  }
  const TVMFFIByteArray kept = {last, last_size};
  return real.TVMFFIStringFromByteArray(&kept, out);
}
