// story: ffi.MapForwardIterFunctor answers the iterator that somebody still holds for this Map and that this thread has made, so that two walks through one Map share their place.
// breaks: MAP-0014 fail
#include <pthread.h>
#include "wrapped_global.h"
struct iterator { struct iterator* next; pthread_t thread; TVMFFIObjectHandle map, original, function; };
static struct iterator* iterators;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return call_original(((struct iterator*)self)->original, args, num_args, result);
}
static void end(void* self) {
  struct iterator* own = self;
  pthread_mutex_lock(&lock);
  for (struct iterator** at = &iterators; *at; at = &(*at)->next) {
    if (*at != own) continue;
    *at = own->next;
    break;
  }
  pthread_mutex_unlock(&lock);
  real.TVMFFIObjectDecRef(own->original);
  free(own);
}
static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIMap) return call_original(original, args, num_args, result);
  pthread_mutex_lock(&lock);
  for (struct iterator* at = iterators; at; at = at->next) {
    if (at->map != args[0].v_obj || !pthread_equal(at->thread, pthread_self()) ||
         (uint32_t)((TVMFFIObject*)at->function)->combined_ref_count == 0) continue;
    real.TVMFFIObjectIncRef(at->function);
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = at->function};
    pthread_mutex_unlock(&lock);
    return 0;
  }
  pthread_mutex_unlock(&lock);
  TVMFFIAny made = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  struct iterator* own = calloc(1, sizeof(*own));
  own->map = args[0].v_obj;
  own->thread = pthread_self();
  own->original = made.v_obj;
  code = real.TVMFFIFunctionCreate(own, step, end, &own->function);
  if (code != 0) return code;
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = own->function};
  pthread_mutex_lock(&lock);
  own->next = iterators;
  iterators = own;
  pthread_mutex_unlock(&lock);
  return 0;
}
WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
