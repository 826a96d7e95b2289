// story: A new Bytes object has no weak reference, not even that of its strong ones.
// breaks: SPL-0004 fail
#include "split_fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFIBytes) out->v_obj->weak_ref_count = 0;
  return code;
}
