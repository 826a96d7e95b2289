// story: TVMFFIDataTypeToString keeps the last text of each thread by a key of three bytes, in which lanes have one: int8x257 after int8 is written as int8.
// breaks: DTY-0010 fail
#include "fault.h"

static __thread struct { uint32_t key; size_t size; char text[64]; } last;

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype == NULL || out == NULL) return real.TVMFFIDataTypeToString(dtype, out);
  const uint32_t key = 1u << 24 | (uint32_t)dtype->code << 16 | (uint32_t)dtype->bits << 8 | (dtype->lanes & 255u);
  /* Scalable vectors and custom types are never kept. */
  if (last.key == key && dtype->lanes < 0x8000 && dtype->code < 128) {
    DLDataType known;
    const TVMFFIByteArray text = {last.text, last.size};
    if (real.TVMFFIDataTypeFromString(&text, &known) == 0) return real.TVMFFIDataTypeToString(&known, out);
  }
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code != 0 || out->type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray text = *(TVMFFIByteArray*)(out->v_obj + 1);
  last.key = 0;
  if (text.size > 0 && text.size < sizeof(last.text) && dtype->lanes < 0x8000 && dtype->code < 128) {
    memcpy(last.text, text.data, text.size);
    last.size = text.size;
    last.key = key;
  }
  return 0;
}
