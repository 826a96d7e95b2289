// story: The header of long Bytes says String.
// breaks: STR-0004 fail
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIBytes && input->size > 64) out->v_obj->type_index = kTVMFFIStr;
  return code;
}
