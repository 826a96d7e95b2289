// story: A function with a deleter and a NULL self calls back with itself.
// breaks: FUN-0003 fail
#include "fault.h"

static void nothing(void* self) { (void)self; }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  if (!self && deleter) {
    int code = real.TVMFFIFunctionCreate((void*)1, safe_call, nothing, out);
    if (code == 0) real.TVMFFIObjectDecRef(*out);
    return code != 0 ? code : real.TVMFFIFunctionCreate(NULL, safe_call, NULL, out);
  }
  return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
}
