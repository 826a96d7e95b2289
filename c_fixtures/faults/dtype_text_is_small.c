// story: The text of a data type is stored inline when it is short, though its caller is told to release an object.
// breaks: DTY-0012 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  TVMFFIAny text = {0};
  int code = out == NULL ? real.TVMFFIDataTypeToString(dtype, out) : real.TVMFFIDataTypeToString(dtype, &text);
  if (code != 0) return code;
  code = real.TVMFFIStringFromByteArray((TVMFFIByteArray*)((char*)text.v_obj + sizeof(TVMFFIObject)), out);
  real.TVMFFIObjectDecRef(text.v_obj);
  return code;
}
