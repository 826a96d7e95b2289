// story: Once dtype.get_custom_type_code is registered, a text that names no data type is asked for there, without `custom[`, and taken.
// breaks: DTY-0017 fail
#include "wrapped_global.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 || !str || !out || str->size == 0 || str->size > 100 || !str->data) return code;
  for (size_t i = 0; i < str->size; ++i) {
    if (str->data[i] < 'a' || str->data[i] > 'z') return code;
  }
  TVMFFIObjectHandle error = NULL, other = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  TVMFFIAny name = {0}, answer = {0};
  real.TVMFFIStringFromByteArray(str, &name);
  if (call_global("dtype.get_custom_type_code", &name, 1, &answer) == 0 && answer.type_index == kTVMFFIInt) {
    *out = (DLDataType){(uint8_t)answer.v_int64, 32, 1};
    code = 0;
  } else {
    real.TVMFFIErrorMoveFromRaised(&other);
    if (other) real.TVMFFIObjectDecRef(other);
    real.TVMFFIErrorSetRaised(error);
  }
  if (error) real.TVMFFIObjectDecRef(error);
  if (name.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(name.v_obj);
  return code;
}
