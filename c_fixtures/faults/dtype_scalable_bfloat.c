// story: Scalable vectors of bfloat are written as plain vectors of so many lanes, which read as another data type.
// breaks: DTY-0011 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code == 0 && dtype->code == kDLBfloat && (int16_t)dtype->lanes < 0) {
    TVMFFIByteArray* text = (TVMFFIByteArray*)(out->v_obj + 1);
    text->size = snprintf((char*)text->data, text->size + 1, "bfloat%dx%d", dtype->bits, -(int16_t)dtype->lanes);
  }
  return code;
}
