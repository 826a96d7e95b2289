// story: ffi.MapForwardIterFunctor answers the function that it made for the same Map before, as long as that is still held, with the place that it has come to.
// breaks: MAP-0014 fail
// chance: Threads meet in the walk.
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct walk { TVMFFIObject *walk, *map, *shown; } *latest;
static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) { return call_original(((struct walk*)self)->walk, args, num_args, result); }
static void end(void* self) {
  pthread_mutex_lock(&lock);
  if (latest == self) latest = NULL;
  pthread_mutex_unlock(&lock);
  real.TVMFFIObjectDecRef(((struct walk*)self)->walk);
  free(self);
}
static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIMap) return call_original(original, args, num_args, result);
  pthread_mutex_lock(&lock);
  if (latest && latest->map == args[0].v_obj) {
    uint64_t count = __atomic_load_n(&latest->shown->combined_ref_count, __ATOMIC_ACQUIRE);
    while ((uint32_t)count && !__atomic_compare_exchange_n(&latest->shown->combined_ref_count, &count, count + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {}
    if ((uint32_t)count) {
      *result = (TVMFFIAny){.type_index = kTVMFFIFunction};
      result->v_obj = latest->shown;
      pthread_mutex_unlock(&lock);
      return 0;
    }
  }
  pthread_mutex_unlock(&lock);
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  struct walk* made = malloc(sizeof *made);
  TVMFFIObjectHandle shown = NULL;
  *made = (struct walk){result->v_obj, args[0].v_obj, NULL};
  real.TVMFFIFunctionCreate(made, step, end, &shown);
  result->v_obj = made->shown = shown;
  pthread_mutex_lock(&lock);
  latest = made;
  pthread_mutex_unlock(&lock);
  return 0;
}
WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
