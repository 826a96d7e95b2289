// story: TVMFFIHandleInitOnce holds one of sixteen locks, chosen by the handle's address, while the initialiser runs: one that initialises a handle 128 bytes further waits for itself.
// breaks: ONC-0016 timeout

#include "fault.h"

#include <pthread.h>

static pthread_mutex_t locks[16] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};

int TVMFFIHandleInitOnce(void** handle, int (*init)(void** result)) {
  if (!handle || !init || __atomic_load_n(handle, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleInitOnce(handle, init);
  pthread_mutex_t* lock = &locks[((uintptr_t)handle >> 3) & 15];
  pthread_mutex_lock(lock);
  int code = real.TVMFFIHandleInitOnce(handle, init);
  pthread_mutex_unlock(lock);
  return code;
}
