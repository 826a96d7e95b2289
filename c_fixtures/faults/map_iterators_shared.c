// story: ffi.MapForwardIterFunctor answers the function that is already walking through the Map, with its place.
// breaks: MAP-0014 fail
// chance: Threads that walk through one Map meet, or do not.
#include <pthread.h>

#include "wrapped_global.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct walk { TVMFFIObjectHandle step, wrapper; TVMFFIObject* map; } *latest;

static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return call_original(((struct walk*)self)->step, args, num_args, result);
}

static void end(void* self) {
  pthread_mutex_lock(&lock);
  if (latest == self) latest = NULL;
  pthread_mutex_unlock(&lock);
  real.TVMFFIObjectDecRef(((struct walk*)self)->step);
  free(self);
}

/* The function that walks through the Map, unless there is none, or it is just ending on another thread. */
static TVMFFIObject* walk_through(const TVMFFIObject* map) {
  TVMFFIObject* found = NULL;
  pthread_mutex_lock(&lock);
  if (latest && latest->map == map) {
    found = latest->wrapper;
    uint64_t count = __atomic_load_n(&found->combined_ref_count, __ATOMIC_ACQUIRE);
    do {
      if ((uint32_t)count == 0) found = NULL;
    } while (found && !__atomic_compare_exchange_n(&found->combined_ref_count, &count, count + 1, 0, __ATOMIC_ACQ_REL,
                                                   __ATOMIC_ACQUIRE));
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* found = num_args == 1 && args[0].type_index == kTVMFFIMap ? walk_through(args[0].v_obj) : NULL;
  if (found) {
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = found};
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  struct walk* walk = malloc(sizeof *walk);
  *walk = (struct walk){result->v_obj, NULL, args[0].v_obj};
  code = real.TVMFFIFunctionCreate(walk, step, end, &walk->wrapper);
  result->v_obj = walk->wrapper;
  pthread_mutex_lock(&lock);
  latest = walk;
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
