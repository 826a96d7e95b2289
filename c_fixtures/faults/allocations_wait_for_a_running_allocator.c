// story: A lock is held while the tensor allocator runs: the allocations of other threads wait for it, though it may wait for them.
// breaks: FUN-0026 timeout
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock;

__attribute__((constructor)) static void begin(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  pthread_mutex_unlock(&lock);
  return code;
}
