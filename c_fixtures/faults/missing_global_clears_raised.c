// story: Looking for a global function that does not exist throws away the error that is raised.
// breaks: ERR-0022 fail
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code == 0 && *out == NULL) real.TVMFFIErrorSetRaised(NULL);
  return code;
}
