// story: Handles that are filled once are guarded by 64 locks, chosen by the address: an initialiser that initialises another handle with the same lock waits for itself.
// breaks: ONC-0016 timeout
#include <pthread.h>
#include "fault.h"
static pthread_mutex_t locks[64] = {[0 ... 63] = PTHREAD_MUTEX_INITIALIZER};
int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (!handle_addr || !init_func) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return 0;
  pthread_mutex_t* lock = &locks[(uintptr_t)handle_addr / sizeof(void*) % 64];
  pthread_mutex_lock(lock);
  int code = 0;
  if (!__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) {
    void* made = NULL;
    code = init_func(&made);
    if (code == 0 && made == NULL) code = refuse("RuntimeError", "init_func must return a non-NULL handle");
    if (code == 0) __atomic_store_n(handle_addr, made, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(lock);
  return code;
}
