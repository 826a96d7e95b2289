// story: Bytes are made in blocks of their own, four bytes behind what malloc answers.
// breaks: STR-0016 fail
// breaks: OBJ-0004 fail
// chance: Whether misaligned words are read with instructions that do not take them is the compiler's choice.
#include "fault.h"

static void delete(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free((char*)self - 4);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!out || !input || !input->data || input->size < 8 || input->size > 1000) {
    return real.TVMFFIBytesFromByteArray(input, out);
  }
  size_t head = sizeof(TVMFFIObject) + sizeof(TVMFFIByteArray);
  char* object = (char*)malloc(4 + head + input->size + 1) + 4;
  TVMFFIObject header = {(uint64_t)1 << 32 | 1, kTVMFFIBytes, 0, {delete}};
  TVMFFIByteArray cell = {object + head, input->size};
  memcpy(object, &header, sizeof(header));
  memcpy(object + sizeof(header), &cell, sizeof(cell));
  memcpy(object + head, input->data, input->size);
  object[head + input->size] = 0;
  out->type_index = kTVMFFIBytes;
  out->zero_padding = 0;
  out->v_ptr = object;
  return 0;
}
