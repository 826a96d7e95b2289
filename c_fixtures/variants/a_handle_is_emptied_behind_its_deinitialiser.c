// story: A handle keeps what it held while its deinitialiser runs, and is emptied afterwards; each handle is waited for by itself, and an initialiser writes to the side.
// admitted: ONC-0015: "While its deinitialiser runs, a handle holds what it held before or NULL, and NULL once TVMFFIHandleDeinitOnce has returned"; ONC-0014: handles are independent.
#include "fault.h"

#include <pthread.h>

/** A handle that a thread is at work on; it lies on that thread's stack. */
struct work {
  void** handle;
  struct work* next;
};

static struct work* works;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static struct work** work_on(void** handle) {
  struct work** place = &works;
  while (*place && (*place)->handle != handle) place = &(*place)->next;
  return place;
}

/** With the lock held. */
static void end_work(void** handle, void* value) {
  struct work** place = work_on(handle);
  *place = (*place)->next;
  __atomic_store_n(handle, value, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&done);
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (!handle_addr || !init_func) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  pthread_mutex_lock(&lock);
  while (*work_on(handle_addr)) pthread_cond_wait(&done, &lock);
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) {
    pthread_mutex_unlock(&lock);
    return 0;
  }
  struct work own = {handle_addr, works};
  works = &own;
  pthread_mutex_unlock(&lock);
  void* result = NULL;
  int code = init_func(&result);
  if (code == 0 && !result) code = refuse("RuntimeError", "an initialiser has answered 0 and made nothing");
  pthread_mutex_lock(&lock);
  end_work(handle_addr, code == 0 ? result : NULL);
  pthread_mutex_unlock(&lock);
  return code;
}

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  if (!handle_addr || !deinit_func) return real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  pthread_mutex_lock(&lock);
  while (*work_on(handle_addr)) pthread_cond_wait(&done, &lock);
  void* held = __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE);
  if (!held) {
    pthread_mutex_unlock(&lock);
    return 0;
  }
  struct work own = {handle_addr, works};
  works = &own;
  pthread_mutex_unlock(&lock);
  int code = deinit_func(held);
  pthread_mutex_lock(&lock);
  end_work(handle_addr, NULL);
  pthread_mutex_unlock(&lock);
  return code;
}
