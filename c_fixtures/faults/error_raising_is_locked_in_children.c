// story: Errors are raised under a lock that a child of the process may find locked for ever.
// breaks: ERR-0037 timeout
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  pthread_mutex_lock(&lock);
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  pthread_mutex_unlock(&lock);
}
