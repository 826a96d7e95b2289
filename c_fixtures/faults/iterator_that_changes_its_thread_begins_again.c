// story: The place of a function that iterates a Map is kept for the thread that made it: called on another thread, it stands at the first entry again.
// breaks: MAP-0014 fail
#include "wrapped_global.h"
#include <pthread.h>

struct iterator { pthread_mutex_t lock; TVMFFIObjectHandle make; TVMFFIAny map, inner; pthread_t thread; };

static void end(void* self) {
  struct iterator* it = self;
  real.TVMFFIObjectDecRef(it->inner.v_obj);
  real.TVMFFIObjectDecRef(it->map.v_obj);
  free(it);
}

static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct iterator* it = self;
  pthread_mutex_lock(&it->lock);
  if (!pthread_equal(it->thread, pthread_self())) {
    TVMFFIAny other = {0};
    if (call_original(it->make, &it->map, 1, &other) == 0) {
      real.TVMFFIObjectDecRef(it->inner.v_obj);
      it->inner = other;
    }
    it->thread = pthread_self();
  }
  int code = call_original(it->inner.v_obj, args, num_args, result);
  pthread_mutex_unlock(&it->lock);
  return code;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny inner = {0};
  if (num_args != 1 || args[0].type_index != kTVMFFIMap) return call_original(original, args, num_args, result);
  int code = call_original(original, args, num_args, &inner);
  if (code != 0) return code;
  struct iterator* it = malloc(sizeof(*it));
  *it = (struct iterator){PTHREAD_MUTEX_INITIALIZER, original, args[0], inner, pthread_self()};
  real.TVMFFIObjectIncRef(args[0].v_obj);
  TVMFFIObjectHandle function = NULL;
  if (real.TVMFFIFunctionCreate(it, step, end, &function) != 0) abort();
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = function};
  return 0;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", make)
