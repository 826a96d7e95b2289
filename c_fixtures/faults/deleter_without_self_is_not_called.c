// story: A function that is made with a deleter but with NULL for its self ends without calling the deleter.
// breaks: FUN-0005 fail
#include "fault.h"

static void nothing(void* self) { (void)self; }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  return real.TVMFFIFunctionCreate(self, safe_call, !self && deleter ? nothing : deleter, out);
}
