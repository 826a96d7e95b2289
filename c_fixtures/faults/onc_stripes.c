// story: The functions that fill and empty handles share sixteen locks by the handle's address, so that an initialiser waits for ever when it fills a handle with the same lock.
// breaks: ONC-0016 timeout
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t locks[16] = {[0 ... 15] = PTHREAD_MUTEX_INITIALIZER};
int TVMFFIHandleInitOnce(void** handle, int (*init)(void**)) {
  if (!handle || __atomic_load_n(handle, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleInitOnce(handle, init);
  pthread_mutex_t* lock = &locks[(uintptr_t)handle / 8 % 16];
  pthread_mutex_lock(lock);
  int code = real.TVMFFIHandleInitOnce(handle, init);
  pthread_mutex_unlock(lock);
  return code;
}
