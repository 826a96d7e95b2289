// story: A String of 33 bytes that another thread than the first makes begins with a blank.
// breaks: STR-0019 fail
#include "first_thread.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIStr && input->size == 33 && !is_first_thread()) {
    *(char*)((TVMFFIByteArray*)(out->v_obj + 1))->data = ' ';
  }
  return code;
}
