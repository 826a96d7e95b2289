// story: A function that was made with a deleter but with NULL for its self calls back with its own function object for its handle.
// breaks: FUN-0003 fail
#include "fault.h"
struct closure { TVMFFISafeCallType callback; void (*deleter)(void*); TVMFFIObjectHandle function; };
static int call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct closure* closure = self;
  return closure->callback(closure->function, args, num_args, result);
}
static void end(void* self) {
  struct closure* closure = self;
  closure->deleter(NULL);
  free(closure);
}
int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType callback, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  if (self || !deleter) return real.TVMFFIFunctionCreate(self, callback, deleter, out);
  struct closure* closure = malloc(sizeof *closure);
  *closure = (struct closure){callback, deleter, NULL};
  int code = real.TVMFFIFunctionCreate(closure, call, end, out);
  if (code == 0) closure->function = *out; else free(closure);
  return code;
}
