/* What is known of a thread: the error that it has left, and whether it has run its destructors. */
#include "watch.h"

_Thread_local struct thread this_thread;

static pthread_key_t key;

/** Runs among the destructors of the thread's keys, after those of its thread_local objects. */
static void end_thread(void* value) {
  (void)value;
  /* Where the library keeps errors is gone by now: it is not asked. */
  if (is_watching && this_thread.failed) {
    found_at(this_thread.failed_at, "error-abandoned", this_thread.failed, NULL,
             "the error of this call was still raised when its thread ended");
  }
  this_thread.ended = 1;
}

/** A process that was forked has yet to say that it is there. */
static void begin_child(void) { this_thread.known = 0; }

static __attribute__((constructor)) void make_key(void) {
  pthread_key_create(&key, end_thread);
  pthread_atfork(NULL, NULL, begin_child);
}

void know_thread(void) {
  this_thread.known = 1;
  pthread_setspecific(key, &this_thread);
}

int is_raised(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return 0;
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return 1;
}
