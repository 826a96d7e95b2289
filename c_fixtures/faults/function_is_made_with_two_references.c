// story: A function with a deleter is made with two references.
// breaks: FUN-0002 fail
#include "fault.h"

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (code == 0 && !deleter) real.TVMFFIObjectIncRef(*out);
  return code;
}
