// story: Registering a name that is taken replaces its function unasked.
// breaks: GLB-0005 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle function, int allow_override) {
  (void)allow_override;
  return real.TVMFFIFunctionSetGlobal(name, function, 1);
}
