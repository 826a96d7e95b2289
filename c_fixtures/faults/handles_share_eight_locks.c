// story: An initialiser runs under one of eight locks, which the handle's address chooses: handles that share it wait for each other.
// breaks: ONC-0016 timeout
#include <pthread.h>
#include "fault.h"

static pthread_mutex_t locks[8] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return 0;
  pthread_mutex_t* lock = &locks[(uintptr_t)handle_addr / sizeof(void*) % 8];
  pthread_mutex_lock(lock);
  int code = 0;
  if (!__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) {
    void* made = NULL;
    code = init_func(&made);
    if (code == 0 && !made) code = refuse("RuntimeError", "init_func must return a non-NULL handle");
    if (code == 0) __atomic_store_n(handle_addr, made, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(lock);
  return code;
}
