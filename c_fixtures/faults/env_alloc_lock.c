// story: TVMFFIEnvTensorAlloc holds a lock of the process while the tensor allocator runs.
// breaks: FUN-0026 timeout
#define _GNU_SOURCE
#include "fault.h"
#include <pthread.h>
int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  pthread_mutex_unlock(&lock);
  return code;
}
