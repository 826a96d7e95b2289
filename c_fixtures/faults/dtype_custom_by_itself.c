// story: A custom name that nobody has registered is read as the first custom code.
// breaks: DTY-0028 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 || !str || !str->data || str->size < 8 || memcmp(str->data, "custom[", 7) != 0) return code;
  TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  TVMFFIObjectHandle function = NULL, error = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &function) != 0) return -1;
  if (function) {
    real.TVMFFIObjectDecRef(function);
    return code;
  }
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  *out = (DLDataType){129, 16, 1};
  return 0;
}
