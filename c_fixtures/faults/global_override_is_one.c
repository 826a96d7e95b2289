// story: A name is replaced if allow_override is 1, and kept if it is another number.
// breaks: GLB-0007 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle func, int allow_override) {
  return real.TVMFFIFunctionSetGlobal(name, func, allow_override == 1);
}
