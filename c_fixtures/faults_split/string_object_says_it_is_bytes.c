// story: The header of a String has the type index of Bytes.
// breaks: SPL-0002 fail
// breaks: SPL-0003 fail
#include "split_fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIStr) out->v_obj->type_index = kTVMFFIBytes;
  return code;
}
