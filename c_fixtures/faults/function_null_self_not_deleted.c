// story: The deleter of a function whose self is NULL is never called.
// breaks: FUN-0005 fail
#include "fault.h"

static void nothing(void* self) {}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  return real.TVMFFIFunctionCreate(self, safe_call, !self && deleter ? nothing : deleter, out);
}
