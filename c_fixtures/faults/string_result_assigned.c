// story: A long string is put into its result as into a variable: what looks like an object there is released first.
// breaks: STR-0015 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  TVMFFIAny made;
  if (!input || !out || input->size <= 7) return real.TVMFFIStringFromByteArray(input, out);
  int code = real.TVMFFIStringFromByteArray(input, &made);
  if (code != 0) return code;
  if (out->type_index >= kTVMFFIStaticObjectBegin && out->type_index < kTVMFFIStaticObjectEnd) real.TVMFFIObjectDecRef(out->v_obj);
  *out = made;
  return 0;
}
