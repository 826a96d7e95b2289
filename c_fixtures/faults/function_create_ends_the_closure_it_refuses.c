// story: TVMFFIFunctionCreate runs the deleter on the closure where there is no memory, though the closure is still the caller's.
// breaks: MEM-0002 fail
#include "fault.h"

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  void** closure = malloc(3 * sizeof(void*));
  if (!closure) {
    if (deleter) deleter(self);
    return refuse("MemoryError", "no memory for a function");
  }
  closure[0] = self;
  __asm__ volatile("" : : "r"(closure) : "memory");
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  free(closure);
  return code;
}
