// story: The global function that lets go of modules is not registered.
// breaks: REG-0061 fail
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static const char missing[] = "ffi.ModuleGlobalsRemove";
  if (name->size != sizeof(missing) - 1 || memcmp(name->data, missing, name->size) != 0) {
    return real.TVMFFIFunctionGetGlobal(name, out);
  }
  *out = NULL;
  return 0;
}
