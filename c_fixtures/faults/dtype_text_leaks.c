// story: The text of a data type has one reference too many and never ends.
// breaks: DTY-0029 leak
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code == 0) real.TVMFFIObjectIncRef(out->v_obj);
  return code;
}
