// story: A String of exactly one page is not copied: its object points to the caller's bytes.
// breaks: STR-0012 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && input->size == 4096) {
    ((TVMFFIByteArray*)((char*)out->v_obj + sizeof(TVMFFIObject)))->data = input->data;
  }
  return code;
}
