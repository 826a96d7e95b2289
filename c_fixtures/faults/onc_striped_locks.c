// story: TVMFFIHandleInitOnce has 64 locks, chosen by the handle's address, so an initialiser that initialises a handle whose address falls on the same lock never returns.
// breaks: ONC-0016 timeout
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t locks[64] = {[0 ... 63] = PTHREAD_MUTEX_INITIALIZER};
int TVMFFIHandleInitOnce(void** handle, int (*init)(void**)) {
  if (!handle || !init || __atomic_load_n(handle, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleInitOnce(handle, init);
  pthread_mutex_t* lock = &locks[(uintptr_t)handle / 8 % 64];
  int code = 0;
  pthread_mutex_lock(lock);
  if (!__atomic_load_n(handle, __ATOMIC_ACQUIRE)) {
    void* made = NULL;
    code = init(&made);
    if (code == 0 && !made) code = refuse("RuntimeError", "init_func must return a non-NULL handle");
    if (code == 0) __atomic_store_n(handle, made, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(lock);
  return code;
}
