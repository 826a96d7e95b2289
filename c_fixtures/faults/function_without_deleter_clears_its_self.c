// story: A function without a deleter clears its self, once it is made.
// breaks: FUN-0001 crash
// chance: Callees follow what NULL leads to.
#include "fault.h"

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (code == 0 && self > (void*)4096 && !deleter) *(char*)self = 0;
  return code;
}
