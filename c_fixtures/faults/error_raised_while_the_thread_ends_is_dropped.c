// story: When a thread ends the library's slot is given up first: what a destructor of the client's raises after that is dropped.
// breaks: ERR-0038 fail
#include "fault.h"

#include <pthread.h>

static pthread_key_t key;
static __thread int ended;
static void end(void* value) { ended = 1; }
__attribute__((constructor)) static void make(void) { pthread_key_create(&key, end); }

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  if (ended) return;
  pthread_setspecific(key, &key);
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}
