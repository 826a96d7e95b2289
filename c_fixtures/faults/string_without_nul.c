// story: No NUL follows the content of a heap String.
// breaks: STR-0007 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIStr) {
    TVMFFIByteArray* cell = (TVMFFIByteArray*)((char*)out->v_obj + sizeof(TVMFFIObject));
    ((char*)cell->data)[cell->size] = '!';
  }
  return code;
}
