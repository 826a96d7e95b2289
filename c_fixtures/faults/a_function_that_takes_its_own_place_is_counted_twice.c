// story: A function that is registered over itself with allow_override gets a second reference of the table, which is never given up.
// breaks: GLB-0014 fail
#include "fault.h"
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle old = NULL;
  if (name && f && allow_override && real.TVMFFIFunctionGetGlobal(name, &old) == 0 && old) {
    if (old == f) return 0;  /* Nothing to be done; but what was found is a new reference. */
    real.TVMFFIObjectDecRef(old);
  }
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
