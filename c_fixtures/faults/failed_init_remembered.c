// story: A handle whose initialiser has failed is marked as failed, as a once flag that is used up: it cannot be initialised any more.
// breaks: ONC-0004 fail
#include "fault.h"

#include <pthread.h>

struct failed {
  struct failed* next;
  void** handle;
};

static struct failed* all_failed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIHandleInitOnce(void** handle, int (*init)(void** result)) {
  if (!handle || __atomic_load_n(handle, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleInitOnce(handle, init);
  pthread_mutex_lock(&lock);
  struct failed* one = all_failed;
  while (one && one->handle != handle) one = one->next;
  pthread_mutex_unlock(&lock);
  if (one) return refuse("RuntimeError", "the initialiser of the handle has failed");
  int code = real.TVMFFIHandleInitOnce(handle, init);
  if (code != 0 && (one = malloc(sizeof(*one)))) {
    one->handle = handle;
    pthread_mutex_lock(&lock);
    one->next = all_failed;
    all_failed = one;
    pthread_mutex_unlock(&lock);
  }
  return code;
}
