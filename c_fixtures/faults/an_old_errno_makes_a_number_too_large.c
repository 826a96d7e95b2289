// story: TVMFFIDataTypeFromString takes an ERANGE in errno for an overflow of its own number, although an earlier call of the program left it there.
// breaks: ENV-0041 fail
#include "fault.h"
#include <errno.h>

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  if (errno != ERANGE) return real.TVMFFIDataTypeFromString(text, out);
  real.TVMFFIErrorSetRaisedFromCStr("ValueError", "The number is too large");
  return -1;
}
