// story: A String of exactly seven bytes becomes an object, as if its NUL had to fit inline as well.
// breaks: STR-0027 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input == NULL || input->data == NULL || input->size != 7) return real.TVMFFIStringFromByteArray(input, out);
  char with_nul[8] = {0};
  memcpy(with_nul, input->data, 7);
  TVMFFIByteArray eight = {with_nul, 8};
  int code = real.TVMFFIStringFromByteArray(&eight, out);
  if (code == 0) ((TVMFFIByteArray*)((char*)out->v_obj + sizeof(TVMFFIObject)))->size = 7;
  return code;
}
