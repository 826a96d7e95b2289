// story: When an installed allocator fails, TVMFFIFunctionCreate raises a MemoryError of its own in the place of the one that the allocator has raised.
// breaks: ALC-0013 fail
#include "raised_error.h"
int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (code == 0 || !safe_call || !out) return code;
  forget_raised();
  return refuse("MemoryError", "no room for a function");
}
