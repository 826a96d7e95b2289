// story: The second word of the result stays as it was.
// breaks: DTY-0014 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  uint32_t padding = out != NULL ? out->zero_padding : 0;
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code == 0) out->zero_padding = padding;
  return code;
}
