// story: A function is called by a destructor that runs when the thread has ended.
// breaks: after-thread
#include "../client.h"

static pthread_key_t key;
static TVMFFIObjectHandle f;

static void late(void* value) {
  TVMFFIAny result = none();
  must(TVMFFIFunctionCall(value, NULL, 0, &result));
}

static void* run(void* unused) {
  TVMFFIAny result = none();
  must(TVMFFIFunctionCall(f, NULL, 0, &result));
  pthread_setspecific(key, f);
  return unused;
}

int main(void) {
  pthread_t thread;
  f = function(nothing);
  pthread_key_create(&key, late);
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
  release(f);
  return 0;
}
