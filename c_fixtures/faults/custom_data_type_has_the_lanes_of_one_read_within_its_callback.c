// story: Reading a data type keeps its place in a variable of the thread: where the function that gives a custom code reads a data type itself, the lanes of the outer one are those of the inner.
// breaks: HOK-0021 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  static __thread unsigned calls;
  static __thread uint16_t lanes;
  const unsigned mine = ++calls;
  int code = real.TVMFFIDataTypeFromString(text, out);
  if (code != 0) return code;
  if (calls != mine) out->lanes = lanes;
  lanes = out->lanes;
  return 0;
}
