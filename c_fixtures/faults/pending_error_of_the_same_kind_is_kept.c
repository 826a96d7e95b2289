// story: Where an error of the same kind is raised already, a call that fails keeps that one, to save the making of another.
// breaks: ERR-0035 fail
#include "raised_error.h"

static TVMFFIObjectHandle take(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  return error;
}

static int settle(int code, TVMFFIObjectHandle pending) {
  if (!pending) return code;
  TVMFFIObjectHandle raised = code ? take() : NULL;
  const TVMFFIByteArray* kind = &error_cell(pending)->kind;
  const TVMFFIByteArray* other = raised ? &error_cell(raised)->kind : kind;
  const int same = kind->size == other->size && memcmp(kind->data, other->data, kind->size) == 0;
  real.TVMFFIErrorSetRaised(same ? pending : raised);
  if (raised) real.TVMFFIObjectDecRef(raised);
  real.TVMFFIObjectDecRef(pending);
  return code;
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  TVMFFIObjectHandle pending = take();
  return settle(real.TVMFFITypeKeyToIndex(type_key, out_tindex), pending);
}

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  TVMFFIObjectHandle pending = take();
  return settle(real.TVMFFIDataTypeFromString(str, out), pending);
}
