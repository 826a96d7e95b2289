// story: The end of a function runs its deleter only if the self is not NULL.
// breaks: FUN-0005 fail
#include "fault.h"

static void nothing(void* self) { (void)self; }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  return real.TVMFFIFunctionCreate(self, safe_call, deleter && !self ? nothing : deleter, out);
}
