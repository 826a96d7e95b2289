// story: Strings of 64 kilobytes and more get memory in whole pages, and no NUL where the text fills its pages.
// breaks: STR-0007 fail
#include "fault.h"
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIStr && input->size >= 65536 && input->size % 4096 == 0) {
    TVMFFIByteArray* text = (TVMFFIByteArray*)(out->v_obj + 1);
    ((char*)text->data)[text->size] = (char)0xaa;
  }
  return code;
}
