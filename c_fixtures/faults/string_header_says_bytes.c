// story: The header of a long String says Bytes.
// breaks: STR-0003 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIStr && input->size > 64) out->v_obj->type_index = kTVMFFIBytes;
  return code;
}
