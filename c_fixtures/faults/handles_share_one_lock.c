// story: One lock serves all handles and is held while an initialiser runs, which waits for itself when it needs another handle.
// breaks: ONC-0016 timeout
#include "fault.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return 0;
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  pthread_mutex_unlock(&lock);
  return code;
}
