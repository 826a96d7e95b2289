// story: ffi.DictErase holds a lock of the library while the entry that it took out ends.
// breaks: CNT-0008 timeout
#include "wrapped_global.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
