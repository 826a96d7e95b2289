// story: When a function is registered over itself, the reference that the table had already is not given up.
// breaks: GLB-0008 fail
// breaks: GLB-0030 leak
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle found = NULL;
  if (allow_override && name && f && real.TVMFFIFunctionGetGlobal(name, &found) != 0) return -1;
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (found && !(code == 0 && found == f)) real.TVMFFIObjectDecRef(found);
  return code;
}
