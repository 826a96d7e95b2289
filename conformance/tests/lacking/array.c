// story: Nothing makes Arrays: the global function is not registered.
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (!is(name, "ffi.Array")) return real.TVMFFIFunctionGetGlobal(name, out);
  *out = NULL;
  return 0;
}
