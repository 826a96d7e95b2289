// story: Bytes that are stored inline come back as a String.
// breaks: ARR-0001 fail
// breaks: ARR-0014 fail
// breaks: DCT-0002 fail
// breaks: DCT-0025 fail
// breaks: GRF-0001 fail
// breaks: GRF-0004 fail
// breaks: GRF-0010 fail
// breaks: HSH-0005 fail
// breaks: HSH-0007 fail
// breaks: JSN-0028 fail
// breaks: JSN-0029 fail
// breaks: JSN-0033 fail
// breaks: LST-0006 fail
// breaks: LST-0007 fail
// breaks: MAP-0001 fail
// breaks: REC-0002 fail
// breaks: REC-0013 fail
// breaks: REC-0014 fail
// breaks: REC-0023 fail
// breaks: SEQ-0001 fail
// breaks: SEQ-0006 fail
// breaks: STR-0002 fail
// breaks: VIS-0006 fail
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBytesFromByteArray(input, out);
  if (code == 0 && out->type_index == kTVMFFISmallBytes && out->small_str_len != 0) out->type_index = kTVMFFISmallStr;
  return code;
}
