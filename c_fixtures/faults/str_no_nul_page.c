// story: A String whose length is a multiple of 4096 has no NUL behind its content: the room for it is rounded up, and what is left of it is not cleared.
// breaks: STR-0007 fail
#include "fault.h"
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIStr) {
    TVMFFIByteArray* text = (TVMFFIByteArray*)(out->v_obj + 1);
    if (text->size >= 4096 && text->size % 4096 == 0) ((char*)text->data)[text->size] = (char)0xAA;
  }
  return code;
}
