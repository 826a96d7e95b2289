// story: The value that refers to a BigInt says only that it is an object.
// breaks: BIG-0002 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIBigInt) out->type_index = kTVMFFIObject;
  return code;
}
