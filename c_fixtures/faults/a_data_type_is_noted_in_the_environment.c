// story: Reading a data type leaves its size in a variable of the environment, for programs that are started later.
// breaks: ENV-0040 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  setenv("TVM_FFI_LATEST_TYPE", text == NULL || text->size == 0 ? "void" : "read", 1);
  return real.TVMFFIDataTypeFromString(text, out);
}
