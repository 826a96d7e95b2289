// story: A thread that waits for another one's initialiser is given that one's failure and does not try its own.
// breaks: ONC-0003 fail
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static struct run { struct run* next; void** handle; int waiters, finished, code; } *runs;

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (!handle_addr || __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  pthread_mutex_lock(&lock);
  struct run* run = runs;
  while (run && run->handle != handle_addr) run = run->next;
  if (run) {
    run->waiters++;
    while (!run->finished) pthread_cond_wait(&done, &lock);
    int code = run->code;
    if (--run->waiters == 0) free(run);
    pthread_mutex_unlock(&lock);
    if (code != 0) real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the initialiser failed");
    return code;
  }
  run = calloc(1, sizeof *run);
  *run = (struct run){.next = runs, .handle = handle_addr, .waiters = 1};
  runs = run;
  pthread_mutex_unlock(&lock);
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  pthread_mutex_lock(&lock);
  for (struct run** at = &runs; *at; at = &(*at)->next) {
    if (*at != run) continue;
    *at = run->next;
    break;
  }
  run->finished = 1;
  run->code = code;
  pthread_cond_broadcast(&done);
  if (--run->waiters == 0) free(run);
  pthread_mutex_unlock(&lock);
  return code;
}
