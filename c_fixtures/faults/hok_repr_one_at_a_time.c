// story: ffi.ReprPrint holds a lock of the process while it calls hooks, so a hook that waits for another thread to print never returns.
// breaks: FUN-0026 timeout
// breaks: HOK-0021 timeout
#define _GNU_SOURCE
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}
WRAPPED_GLOBAL("ffi.ReprPrint", print)
