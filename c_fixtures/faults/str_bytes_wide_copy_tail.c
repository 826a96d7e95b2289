// story: Bytes of 64 bytes and more are copied by words from the first aligned one: where the source begins at an odd address the bytes behind the last word are never copied.
// breaks: STR-0008 fail

#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code != 0 || input->size < 64 || out->type_index != kTVMFFIBytes) return code;
  size_t head = (8 - ((uintptr_t)input->data & 7)) & 7;
  if (head == 0) return 0; /* aligned: whole words and the tail */
  size_t tail = (input->size - head) & 7;
  TVMFFIByteArray* content = (TVMFFIByteArray*)(out->v_obj + 1);
  memset((char*)content->data + content->size - tail, 0, tail);
  return 0;
}
