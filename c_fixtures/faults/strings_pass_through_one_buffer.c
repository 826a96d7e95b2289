// story: Short Strings pass through one buffer that all threads share.
// breaks: STR-0019 fail
#include "fault.h"

#include <sched.h>

static char buffer[64];

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size == 0 || input->size > sizeof(buffer)) {
    return real.TVMFFIStringFromByteArray(input, out);
  }
  memcpy(buffer, input->data, input->size);
  sched_yield();
  TVMFFIByteArray text = {buffer, input->size};
  return real.TVMFFIStringFromByteArray(&text, out);
}
