// story: A String's room is rounded up to whole words of cleared memory, so a text that fills its words has no NUL behind it.
// breaks: STR-0007 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray* text = (const TVMFFIByteArray*)(out->v_obj + 1);
  if (text->size % 8 == 0) ((char*)text->data)[text->size] = '\x15';
  return 0;
}
