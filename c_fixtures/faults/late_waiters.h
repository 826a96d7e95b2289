/* Faults in how long a thread waits for a handle that another is filling: `init_and_wait` also waits for the end of the other thread. */
#ifndef TVM_FFI_LATE_WAITERS_H_
#define TVM_FFI_LATE_WAITERS_H_

#include <pthread.h>

#include "fault.h"

/** A thread that has filled handles, where it last failed to, and whether it has ended. It is kept when it has. */
struct filler {
  void** failed_at;
  int ended;
};

enum { MOST_FILLED_AT_ONCE = 512 };
static struct {
  void** handle;
  struct filler* by;
} filling[MOST_FILLED_AT_ONCE];

static pthread_mutex_t filling_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filler_ended = PTHREAD_COND_INITIALIZER;
static pthread_key_t filler_key;

static void end_filler(void* filler) {
  pthread_mutex_lock(&filling_lock);
  ((struct filler*)filler)->ended = 1;
  pthread_cond_broadcast(&filler_ended);
  pthread_mutex_unlock(&filling_lock);
}

static void make_filler_key(void) { pthread_key_create(&filler_key, end_filler); }

static inline struct filler* this_filler(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_filler_key);
  struct filler* filler = pthread_getspecific(filler_key);
  if (!filler) pthread_setspecific(filler_key, filler = calloc(1, sizeof(*filler)));
  return filler;
}

/** Initialises a handle. Where another thread was at it, and `waits` says so, that is waited for until it ends. */
static inline int init_and_wait(int (*waits)(const struct filler* other, void** handle), void** handle,
                                int (*init_func)(void** result)) {
  if (!handle || __atomic_load_n(handle, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleInitOnce(handle, init_func);
  struct filler *me = this_filler(), *other = NULL;
  int place = -1;
  pthread_mutex_lock(&filling_lock);
  for (int i = 0; i < MOST_FILLED_AT_ONCE && !other; ++i) {
    if (filling[i].handle == handle) other = filling[i].by;
    if (!filling[i].handle && place < 0) place = i;
  }
  if (other) place = -1;
  if (place >= 0) {
    filling[place].handle = handle;
    filling[place].by = me;
  }
  pthread_mutex_unlock(&filling_lock);
  int code = real.TVMFFIHandleInitOnce(handle, init_func);
  pthread_mutex_lock(&filling_lock);
  if (place >= 0) filling[place].handle = NULL;
  if (place >= 0 && code != 0) me->failed_at = handle;
  while (code == 0 && other && other != me && !other->ended && waits(other, handle)) {
    pthread_cond_wait(&filler_ended, &filling_lock);
  }
  pthread_mutex_unlock(&filling_lock);
  return code;
}

#endif /* TVM_FFI_LATE_WAITERS_H_ */
