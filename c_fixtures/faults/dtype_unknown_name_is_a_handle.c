// story: A name that nobody knows is read as a handle.
// breaks: DTY-0017 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 || str == NULL || str->data == NULL || out == NULL || str->size != 8) return code;
  if (memcmp(str->data, "nonsense", 8) != 0) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  *out = (DLDataType){kDLOpaqueHandle, 64, 1};
  return 0;
}
