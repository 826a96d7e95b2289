// story: The closure of a function ends when the last weak reference goes.
// breaks: SPL-0027 fail
#include "split_fault.h"

static void (*library_deleter)(void*, int);
static void (*closure_deleter)(void*);
static void* closure;

static void nothing(void* self) { (void)self; }

static void end_late(void* self, int flags) {
  if (flags & 2) closure_deleter(closure);
  library_deleter(self, flags);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  if (!deleter) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  int code = real.TVMFFIFunctionCreate(self, safe_call, nothing, out);
  closure = self;
  closure_deleter = deleter;
  library_deleter = ((TVMFFIObject*)*out)->deleter;
  ((TVMFFIObject*)*out)->deleter = end_late;
  return code;
}
