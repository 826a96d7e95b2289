// story: What cannot be registered, such as a field of a type that is unknown, is dropped without an error.
// breaks: RFL-0019 fail
#include "fault.h"

static int drop_error(int code) {
  TVMFFIObjectHandle error = NULL;
  if (code == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  return 0;
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  return drop_error(real.TVMFFITypeRegisterField(type_index, info));
}

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  return drop_error(real.TVMFFITypeRegisterMethod(type_index, info));
}

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  return drop_error(real.TVMFFITypeRegisterMetadata(type_index, metadata));
}
