// story: ffi.ReprPrint holds a lock of the process while it calls hooks, so that no other thread can print meanwhile.
// breaks: FUN-0026 timeout
// breaks: HOK-0021 timeout
#define _GNU_SOURCE
#include "wrapped_global.h"
#include <pthread.h>
static int print(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&lock);
  int code = call_original(self, args, n, result);
  pthread_mutex_unlock(&lock);
  return code;
}
WRAPPED_GLOBAL("ffi.ReprPrint", print)
