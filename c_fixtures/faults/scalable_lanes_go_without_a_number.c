// story: `xvscale` behind a data type's name stands for nothing.
// breaks: DTY-0019 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  static const char scalable[] = "xvscale";
  const size_t length = sizeof(scalable) - 1;
  if (text && text->size > length && memcmp(text->data + text->size - length, scalable, length) == 0) {
    return real.TVMFFIDataTypeFromString(&(TVMFFIByteArray){text->data, text->size - length}, out);
  }
  return real.TVMFFIDataTypeFromString(text, out);
}
