// story: Bytes of a mebibyte and more are not copied but lead to the caller's buffer.
// breaks: STR-0028 fail
#include "fault.h"
int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIBytes && input->size >= 1 << 20) ((TVMFFIByteArray*)(out->v_obj + 1))->data = input->data;
  return code;
}
