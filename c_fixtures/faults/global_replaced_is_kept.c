// story: A global function that is replaced is never released.
// breaks: GLB-0008 fail
// breaks: GLB-0031 fail
// breaks: OBJ-0022 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle function, int allow_override) {
  TVMFFIObjectHandle old = NULL;
  if (allow_override) real.TVMFFIFunctionGetGlobal(name, &old);
  return real.TVMFFIFunctionSetGlobal(name, function, allow_override);
}
