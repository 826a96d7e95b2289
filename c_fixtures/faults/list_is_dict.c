// story: The type key of List is answered with the index of Dict.
// breaks: TYP-0004 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code == 0 && *out_tindex == kTVMFFIList) *out_tindex = kTVMFFIDict;
  return code;
}
