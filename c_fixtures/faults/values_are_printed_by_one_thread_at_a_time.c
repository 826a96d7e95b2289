// story: A thread that prints a value has a lock meanwhile, which it may take again, but a thread that a hook waits for may not.
// breaks: HOK-0021 timeout
#define _GNU_SOURCE
#include <pthread.h>
#include "wrapped_global.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
