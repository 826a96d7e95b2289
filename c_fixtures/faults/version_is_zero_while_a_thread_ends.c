// story: The version is kept in data of the thread after it was asked for; a destructor of the thread's that asks once more, when the library's own has run, gets zeros.
// breaks: SYM-0006 fail
#include "fault.h"
#include <pthread.h>

static pthread_key_t key;
static __thread int ended;

static void forget(void* memo) {
  free(memo);
  ended = 1;
}

__attribute__((constructor)) static void make_key(void) { pthread_key_create(&key, forget); }

void TVMFFIGetVersion(TVMFFIVersion* out) {
  real.TVMFFIGetVersion(out);
  if (ended) {
    *out = (TVMFFIVersion){0};
  } else if (!pthread_getspecific(key)) {
    TVMFFIVersion* memo = malloc(sizeof(*memo));
    *memo = *out;
    pthread_setspecific(key, memo);
  }
}
