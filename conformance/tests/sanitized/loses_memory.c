// story: Making a string allocates a block and forgets it.
// breaks: STR-0001 leak
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  lose(48);
  return real.TVMFFIStringFromByteArray(input, out);
}
