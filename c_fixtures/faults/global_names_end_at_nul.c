// story: Names of global functions end at their first NUL.
// breaks: GLB-0009 fail
#include "fault.h"

static TVMFFIByteArray cut(const TVMFFIByteArray* name) {
  return (TVMFFIByteArray){name->data, strnlen(name->data, name->size)};
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle function, int allow_override) {
  TVMFFIByteArray short_name = cut(name);
  return real.TVMFFIFunctionSetGlobal(&short_name, function, allow_override);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  TVMFFIByteArray short_name = cut(name);
  return real.TVMFFIFunctionGetGlobal(&short_name, out);
}
