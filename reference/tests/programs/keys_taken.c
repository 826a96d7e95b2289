/* All keys for values of threads are taken before the library is loaded: what the program has under them stays, on each of its
 * threads, errors are raised all the same, and threads end. Exits with 0. */
#include <pthread.h>
#include <stdio.h>
#include <tvm/ffi/c_api.h>

enum { MOST = 4096 };

static pthread_key_t keys[MOST];
static int count, own;

static void take_all_keys(void) {
  while (count < MOST && pthread_key_create(&keys[count], NULL) == 0) count++;
}

/* Runs before the initialisers of libraries. */
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = take_all_keys;

static void* raise_errors(void* unused) {
  (void)unused;
  long changed = 0;
  for (int at = 0; at < count; at++) pthread_setspecific(keys[at], &own);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "without a key");
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) changed++;
  else TVMFFIObjectDecRef(error);
  for (int at = 0; at < count; at++) changed += pthread_getspecific(keys[at]) != &own;
  return (void*)changed;
}

int main(void) {
  long changed = (long)raise_errors(NULL);
  for (int number = 0; number < 3; number++) {
    pthread_t thread;
    void* of_thread = NULL;
    if (pthread_create(&thread, NULL, raise_errors, NULL) != 0 || pthread_join(thread, &of_thread) != 0) return 2;
    changed += (long)of_thread;
  }
  if (changed != 0) printf("%ld of the values under %d keys are others, or no error was raised\n", changed, count);
  return changed != 0;
}
