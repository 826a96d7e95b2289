// story: Registering a function copies the name once more than it frees it.
// breaks: GLB-0030 leak
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (name && name->data) lose(name->size + 1);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
