// story: ffi.MapForwardIterFunctor answers the same function again while the one that it answered for this Map is still on its way.
// breaks: MAP-0014 fail
// chance: Threads that walk through one Map at once share the function when they meet.
#include "wrapped_global.h"
#include <pthread.h>
typedef struct { void* inner; void* map; TVMFFIObjectHandle self; } Walk;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Walk* live;
static int step(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  Walk* w = self;
  int code = call_original(w->inner, args, n, result);
  if (code == 0 && n == 1 && args[0].v_int64 == 2 && result->v_int64 == 0) {
    pthread_mutex_lock(&lock);
    if (live == w) live = NULL;
    pthread_mutex_unlock(&lock);
  }
  return code;
}
static void end(void* self) {
  pthread_mutex_lock(&lock);
  if (live == self) live = NULL;
  pthread_mutex_unlock(&lock);
  real.TVMFFIObjectDecRef(((Walk*)self)->inner);
  free(self);
}
static int iterate(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  if (n == 1 && live && args[0].type_index == kTVMFFIMap && live->map == args[0].v_obj) {
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = live->self};
    real.TVMFFIObjectIncRef(live->self);
    pthread_mutex_unlock(&lock);
    return 0;
  }
  pthread_mutex_unlock(&lock);
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  Walk* w = malloc(sizeof *w);
  *w = (Walk){result->v_obj, args[0].v_obj, NULL};
  if (real.TVMFFIFunctionCreate(w, step, end, &w->self) != 0) return 0;
  result->v_obj = w->self;
  pthread_mutex_lock(&lock);
  live = w;
  pthread_mutex_unlock(&lock);
  return 0;
}
WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
