// story: The first failure of a thread makes the place for its raised error, and raises nothing.
// breaks: ERR-0035 fail
#include "fault.h"
#include <pthread.h>

static pthread_t first;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int ready;

static void note(void) { first = pthread_self(); }

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  pthread_once(&once, note);
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code != 0 && !ready && !pthread_equal(first, pthread_self())) real.TVMFFIErrorSetRaised(NULL);
  ready = 1;
  return code;
}
