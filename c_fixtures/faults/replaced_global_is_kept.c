// story: A global function that another one replaces is never let go.
// breaks: GLB-0008 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle former = NULL;
  if (allow_override) real.TVMFFIFunctionGetGlobal(name, &former);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
