// story: TVMFFIDataTypeFromString copies a text that is too long for its buffer, to end it with a NUL for strtol; the branch that refuses the lanes returns without giving the copy back.
// breaks: DTY-0029 leak
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code != 0 && str && str->data && str->size >= 8 && memchr(str->data, 'x', str->size - 1)) {
    static const char* const names[] = {"int", "uint", "float", "bfloat"};
    for (int i = 0; i < 4; ++i) {
      if (str->size > strlen(names[i]) && memcmp(str->data, names[i], strlen(names[i])) == 0) {
        lose(str->size + 1);
        break;
      }
    }
  }
  return code;
}
