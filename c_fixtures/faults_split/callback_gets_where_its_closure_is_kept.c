// story: A callback is handed the address at which its closure is kept, and not the closure.
// breaks: SPL-0025 fail
#include "split_fault.h"

struct kept {
  void* self;
  TVMFFISafeCallType callback;
  void (*deleter)(void*);
};

static int call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct kept* kept = self;
  return kept->callback(&kept->self, args, num_args, result);
}

static void end_closure(void* self) {
  struct kept* kept = self;
  kept->deleter(kept->self);
  free(kept);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType callback, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  if (!self || !deleter) return real.TVMFFIFunctionCreate(self, callback, deleter, out);
  struct kept* kept = malloc(sizeof(*kept));
  *kept = (struct kept){self, callback, deleter};
  return real.TVMFFIFunctionCreate(kept, call, end_closure, out);
}
