// story: A lock is held while a tensor allocator runs, which the same thread may take again and another may not: an allocator that waits for an allocation on another thread waits for ever.
// breaks: FUN-0026 fail
#define _GNU_SOURCE
#include <pthread.h>
#include "fault.h"
int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  pthread_mutex_unlock(&lock);
  return code;
}
