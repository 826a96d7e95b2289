// story: The words of an integer are copied twice, and one copy is left behind.
// breaks: BIG-0014 leak
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIBigInt) lose(input->size);
  return code;
}
