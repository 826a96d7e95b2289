// story: Registering a function again under its own name, with allow_override, takes another reference that is never given up.
// breaks: GLB-0014 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle there = NULL;
  if (allow_override && name && f && real.TVMFFIFunctionGetGlobal(name, &there) == 0 && there == f) return 0;
  if (there) real.TVMFFIObjectDecRef(there);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
