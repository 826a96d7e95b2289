// story: raises its errors on a thread of its own
// breaks: failure-without-error
#include <pthread.h>
#include <tvm/ffi/c_api.h>

static void* raise(void* message) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", (const char*)message);
  return NULL;
}

static int raise_elsewhere(const char* message) {
  pthread_t thread;
  pthread_create(&thread, NULL, raise, (void*)message);
  pthread_join(thread, NULL);
  return -1;
}

#define REFUSE(message) return raise_elsewhere(message)
#include "add_one.h"
