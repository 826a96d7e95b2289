// story: No NUL follows the content of Bytes.
// breaks: STR-0028 fail
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIBytes) {
    TVMFFIByteArray* cell = (TVMFFIByteArray*)((char*)out->v_obj + sizeof(TVMFFIObject));
    ((char*)cell->data)[cell->size] = '!';
  }
  return code;
}
