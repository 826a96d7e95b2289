// story: A function without a deleter writes a zero over the first byte of its self when it ends.
// breaks: FUN-0006 crash
// chance: The byte may be that of the counts of an object, whose memory is used after it has been freed.
#include "fault.h"

static void clear(void* self) { *(volatile char*)self = 0; }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  return real.TVMFFIFunctionCreate(self, safe_call, self && !deleter ? clear : deleter, out);
}
