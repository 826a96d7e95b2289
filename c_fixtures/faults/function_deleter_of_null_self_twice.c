// story: The deleter of a function whose self is NULL runs twice.
// breaks: FUN-0005 fail
#include "fault.h"

struct closure {
  TVMFFISafeCallType safe_call;
  void (*deleter)(void*);
};

static int call(void* closure, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return ((struct closure*)closure)->safe_call(NULL, args, num_args, result);
}

static void end(void* closure) {
  ((struct closure*)closure)->deleter(NULL);
  ((struct closure*)closure)->deleter(NULL);
  free(closure);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  if (self || !deleter) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  struct closure* closure = malloc(sizeof(*closure));
  closure->safe_call = safe_call;
  closure->deleter = deleter;
  return real.TVMFFIFunctionCreate(closure, call, end, out);
}
