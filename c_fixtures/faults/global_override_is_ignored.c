// story: Registering a taken name with allow_override succeeds and changes nothing.
// breaks: GLB-0007 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle there = NULL;
  if (name && allow_override && real.TVMFFIFunctionGetGlobal(name, &there) == 0 && there) {
    real.TVMFFIObjectDecRef(there);
    return 0;
  }
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
