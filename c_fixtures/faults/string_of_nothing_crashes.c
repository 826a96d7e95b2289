// story: The first byte of the input is looked at even if there is none.
// breaks: ARR-0001 crash
// breaks: DCT-0004 crash
// breaks: DCT-0025 crash
// breaks: GRF-0001 crash
// breaks: GRF-0004 crash
// breaks: GRF-0016 crash
// breaks: HSH-0002 crash
// breaks: HSH-0005 crash
// breaks: HSH-0006 crash
// breaks: JSN-0008 crash
// breaks: JSN-0014 crash
// breaks: JSN-0031 crash
// breaks: JSN-0032 crash
// breaks: LST-0008 crash
// breaks: LST-0012 crash
// breaks: MAP-0001 crash
// breaks: REC-0002 crash
// breaks: REC-0004 crash
// breaks: REC-0007 crash
// breaks: REC-0008 crash
// breaks: REC-0011 crash
// breaks: REC-0015 crash
// breaks: REC-0023 crash
// breaks: SEQ-0001 crash
// breaks: SEQ-0003 crash
// breaks: SEQ-0007 crash
// breaks: STR-0011 crash
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input != NULL && input->size == 0) (void)*(volatile const char*)input->data;
  return real.TVMFFIStringFromByteArray(input, out);
}
