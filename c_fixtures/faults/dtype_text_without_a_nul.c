// story: What follows the text of a data type is no NUL.
// breaks: DTY-0013 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code == 0 && out->type_index == kTVMFFIStr) {
    TVMFFIByteArray* text = (TVMFFIByteArray*)(out->v_obj + 1);
    if (text->size == 6) ((char*)text->data)[text->size] = '_';
  }
  return code;
}
