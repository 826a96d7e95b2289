// story: The sign of scalable lanes is turned in 16 bits, so that of 40000 come 25536 that are not scalable.
// breaks: DTY-0020 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  static const char scalable[] = "xvscale";
  char plain[64];
  int code = real.TVMFFIDataTypeFromString(text, out);
  if (code == 0 || text == NULL || out == NULL || text->data == NULL || text->size >= sizeof(plain)) return code;
  memcpy(plain, text->data, text->size);
  plain[text->size] = 0;
  char* behind = strstr(plain, scalable);
  if (behind == NULL || behind == plain) return code;
  memmove(behind, behind + sizeof(scalable) - 1, strlen(behind + sizeof(scalable) - 1) + 1);
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  DLDataType fixed;
  if (*behind == 'x' && real.TVMFFIDataTypeFromString(&(TVMFFIByteArray){plain, strlen(plain)}, &fixed) == 0) {
    real.TVMFFIObjectDecRef(error);
    fixed.lanes = (uint16_t)-fixed.lanes;
    *out = fixed;
    return 0;
  }
  TVMFFIObjectHandle second = NULL;
  real.TVMFFIErrorMoveFromRaised(&second);
  if (second) real.TVMFFIObjectDecRef(second);
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}
