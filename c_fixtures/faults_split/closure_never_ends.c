// story: The deleter of a closure is forgotten.
// breaks: SPL-0027 fail
#include "split_fault.h"

static void nothing(void* self) { (void)self; }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  return real.TVMFFIFunctionCreate(self, safe_call, deleter ? nothing : deleter, out);
}
