// story: The text of a vector type leaves the second word of its result as it was.
// breaks: DTY-0014 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  uint32_t second = out ? out->zero_padding : 0;
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code == 0 && dtype->lanes > 1) out->zero_padding = second;
  return code;
}
