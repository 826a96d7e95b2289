// story: Calls from several threads take turns: one that waits for another thread's call waits for ever.
// breaks: FUN-0026 timeout
#define _GNU_SOURCE
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}
