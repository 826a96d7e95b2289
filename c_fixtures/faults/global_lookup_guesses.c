// story: A lookup that finds nothing drops the last byte of the name and looks again.
// breaks: GLB-0003 fail
// breaks: GLB-0009 fail
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int status = real.TVMFFIFunctionGetGlobal(name, out);
  if (status != 0 || *out || name->size == 0) return status;
  TVMFFIByteArray shorter = {name->data, name->size - 1};
  return real.TVMFFIFunctionGetGlobal(&shorter, out);
}
