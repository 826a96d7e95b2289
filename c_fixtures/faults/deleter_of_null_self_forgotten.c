// story: The deleter of a function is called only if its self is not NULL.
// breaks: FUN-0005 fail
#include "fault.h"
static void nothing(void* self) { (void)self; }
int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  return real.TVMFFIFunctionCreate(self, call, !self && deleter ? nothing : deleter, out);
}
