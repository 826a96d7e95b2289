// story: A thread keeps the text of its last error in a buffer that goes with its data, and errors raised by later destructors are still written there.
// breaks: ERR-0038 crash
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "fault.h"

/* So much goes back to the system, and nobody else gets it. */
enum { SIZE = 1 << 20 };

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread char* last;

static void make_key(void) { pthread_key_create(&key, free); }

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  pthread_once(&once, make_key);
  if (last == NULL) {
    last = malloc(SIZE);
    pthread_setspecific(key, last);
  }
  if (message != NULL && strlen(message) < SIZE) memcpy(last, message, strlen(message) + 1);
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}
