// story: A long String of the buffer, size, begin and end of this thread's last one is copied from memory that is warm: the last one's content.
// breaks: STR-0012 fail
#include "fault.h"

static __thread struct { const char* data; size_t size; char content[4096]; } last;

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size < 256 || input->size > sizeof(last.content)) return real.TVMFFIStringFromByteArray(input, out);
  const size_t tail = input->size - 16;
  if (last.data != input->data || last.size != input->size || memcmp(last.content, input->data, 16) != 0 ||
      memcmp(last.content + tail, input->data + tail, 16) != 0) {
    last.data = input->data;
    last.size = input->size;
    memcpy(last.content, input->data, input->size);
  }
  const TVMFFIByteArray warm = {last.content, input->size};
  return real.TVMFFIStringFromByteArray(&warm, out);
}

