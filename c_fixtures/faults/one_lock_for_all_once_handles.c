// story: One plain lock is held while an initialiser runs: an initialiser that initialises another handle waits for itself.
// breaks: ONC-0016 timeout
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int TVMFFIHandleInitOnce(void** place, int (*init)(void** result)) {
  if (place && __atomic_load_n(place, __ATOMIC_ACQUIRE)) return 0;
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIHandleInitOnce(place, init);
  pthread_mutex_unlock(&lock);
  return code;
}
