// story: `bfloat16` is written as `bf16`.
// breaks: DTY-0002 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code != 0 || dtype->code != kDLBfloat || dtype->lanes != 1 || dtype->bits != 16) return code;
  TVMFFIByteArray* text = (TVMFFIByteArray*)(out->v_obj + 1);
  strcpy((char*)text->data, "bf16");
  text->size = 4;
  return 0;
}
