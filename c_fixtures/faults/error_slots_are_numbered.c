// story: The raised errors of threads stand in 256 places: the 257th thread shares one with the first.
// breaks: ERR-0019 fail
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFIObjectHandle slots[256];
static int threads;
static _Thread_local int mine;

static TVMFFIObjectHandle exchange(TVMFFIObjectHandle error) {
  pthread_mutex_lock(&lock);
  if (!mine) mine = 1 + threads++ % 256;
  TVMFFIObjectHandle old = slots[mine - 1];
  slots[mine - 1] = error;
  pthread_mutex_unlock(&lock);
  return old;
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  real.TVMFFIErrorSetRaised(NULL);
  if (error) real.TVMFFIObjectIncRef(error);
  TVMFFIObjectHandle old = exchange(error);
  if (old) real.TVMFFIObjectDecRef(old);
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* error) {
  TVMFFIObjectHandle old = mine ? exchange(NULL) : NULL;
  real.TVMFFIErrorMoveFromRaised(error);
  if (*error && old) real.TVMFFIObjectDecRef(old);
  if (!*error) *error = old;
}
