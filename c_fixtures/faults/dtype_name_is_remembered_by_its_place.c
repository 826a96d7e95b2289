// story: The last name of a data type is remembered by its address and length: another name of that length in the same place is read as the one before.
// breaks: DTY-0001 fail
#include "fault.h"

static _Thread_local TVMFFIByteArray last;
static _Thread_local DLDataType was;

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  if (text && out && text->data && text->data == last.data && text->size == last.size) {
    *out = was;
    return 0;
  }
  int code = real.TVMFFIDataTypeFromString(text, out);
  last = (TVMFFIByteArray){0};
  if (code == 0) {
    last = *text;
    was = *out;
  }
  return code;
}
