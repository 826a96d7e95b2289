// story: A thread ends with an error that nobody has taken.
// breaks: error-abandoned
#include "../client.h"

static void* run(void* f) {
  TVMFFIAny result = none();
  return TVMFFIFunctionCall(f, NULL, 0, &result) == 0 ? f : NULL;
}

int main(void) {
  pthread_t thread;
  TVMFFIObjectHandle f = function(fails);
  pthread_create(&thread, NULL, run, f);
  pthread_join(thread, NULL);
  release(f);
  return 0;
}
