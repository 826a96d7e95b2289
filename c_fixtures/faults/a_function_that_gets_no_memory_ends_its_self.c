// story: TVMFFIFunctionCreate calls the deleter with self when the installed allocator fails, though self has stayed the caller's.
// breaks: ALC-0014 fail
#include "fault.h"
int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (code != 0 && safe_call && out && deleter) deleter(self);
  return code;
}
