// story: The room for a String object is rounded up to eight bytes, and a text that fills it exactly is followed by no NUL.
// breaks: STR-0007 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIStr || input->size % 8 != 0) return code;
  const TVMFFIByteArray* text = (const TVMFFIByteArray*)(out->v_obj + 1);
  ((char*)text->data)[text->size] = (char)0xCC;
  return 0;
}
