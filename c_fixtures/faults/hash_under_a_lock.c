// story: ffi.StructuralHash holds a lock, which only its own thread may take again, while a hook runs.
// breaks: HOK-0021 timeout
#include "wrapped_global.h"

#include <pthread.h>

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_once(&once, initialise);
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
