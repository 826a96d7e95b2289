// story: A function whose registration is refused is kept all the same.
// breaks: GLB-0006 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (code != 0 && f) real.TVMFFIObjectIncRef(f);
  return code;
}
