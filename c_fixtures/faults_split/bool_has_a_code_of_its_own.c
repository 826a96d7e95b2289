// story: The data type bool is read as later libraries do, with a code of its own and eight bits.
// breaks: SPL-0032 fail
#include "split_fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (!is(str, "bool")) return real.TVMFFIDataTypeFromString(str, out);
  *out = (DLDataType){6, 8, 1};
  return 0;
}
