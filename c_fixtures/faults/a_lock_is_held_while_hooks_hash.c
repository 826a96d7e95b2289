// story: ffi.RecursiveHash holds a lock of the process that its own thread may take again, so a hook that waits for another thread which hashes waits for ever.
// breaks: HOK-0021 timeout
#define _GNU_SOURCE
#include <pthread.h>
#include "wrapped_global.h"
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}
WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
