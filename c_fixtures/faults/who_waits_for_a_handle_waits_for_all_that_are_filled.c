// story: A thread that waits for another to fill a handle goes on when no initialiser runs any more, of whichever handle.
// breaks: ONC-0007 fail
#include <pthread.h>

#include "fault.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int running;

/** The initialiser that this thread has asked for, whether it was called, and in how many initialisers the thread is. */
static _Thread_local int (*wanted)(void** result);
static _Thread_local int was_called, depth;

static int make_counted(void** result) {
  int (*init_func)(void**) = wanted;
  pthread_mutex_lock(&lock);
  ++running;
  pthread_mutex_unlock(&lock);
  ++depth;
  int code = init_func(result);
  --depth;
  was_called = 1;
  pthread_mutex_lock(&lock);
  --running;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return code;
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (!handle_addr || !init_func || __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) {
    return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  }
  wanted = init_func;
  was_called = 0;
  int code = real.TVMFFIHandleInitOnce(handle_addr, make_counted);
  if (code != 0 || was_called || depth > 0) return code;
  pthread_mutex_lock(&lock);
  while (running > 0) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return code;
}
