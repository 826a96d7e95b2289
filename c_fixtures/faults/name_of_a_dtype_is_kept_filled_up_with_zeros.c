// story: Each thread keeps the last short name of a data type as a word filled up with zeros, and takes the name with zeros behind it for it.
// breaks: DTY-0018 fail
#include "fault.h"

static __thread struct {
  uint64_t name;
  DLDataType dtype;
} last;

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (!str || !str->data || !out || str->size == 0 || str->size > 8) return real.TVMFFIDataTypeFromString(str, out);
  uint64_t name = 0;
  memcpy(&name, str->data, str->size);
  if (name != 0 && name == last.name) {
    *out = last.dtype;
    return 0;
  }
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 && out->code < 128) {
    last.name = name;
    last.dtype = *out;
  }
  return code;
}
