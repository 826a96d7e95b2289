// story: The deleter of a function's self runs only when the last weak reference to the function is gone.
// breaks: OBJ-0014 fail
#include "fault.h"
static void (*original)(void*, int);
static void ending(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) return;
  original(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}
int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (code == 0 && deleter) {
    TVMFFIObject* made = *out;
    __atomic_store_n(&original, made->deleter, __ATOMIC_SEQ_CST);
    made->deleter = ending;
  }
  return code;
}
