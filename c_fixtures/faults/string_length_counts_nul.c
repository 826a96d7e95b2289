// story: The length of Bytes of more than a hundred bytes counts the NUL behind them.
// breaks: STR-0006 fail
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && input->size > 100) ((TVMFFIByteArray*)((char*)out->v_obj + sizeof(TVMFFIObject)))->size += 1;
  return code;
}
