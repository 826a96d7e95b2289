
/* ---- Threads: they take turns, so that calls begin and end in the order in which they did in the check ---- */
#include <pthread.h>
#include <sched.h>
#include <time.h>
static pthread_t threads[16];
static int turns;
/* On another library things may come differently: nobody waits for ever. */
static inline void turn(int mine) {
  time_t begin = time(NULL);
  while (__atomic_load_n(&turns, __ATOMIC_SEQ_CST) < mine && time(NULL) < begin + 3) sched_yield();
}
static inline void next(int mine) {
  int now = mine;
  __atomic_compare_exchange_n(&turns, &now, mine + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (now < mine) __atomic_store_n(&turns, mine + 1, __ATOMIC_SEQ_CST);
}
static inline void begin(int thread, void* (*run)(void*)) { pthread_create(&threads[thread], NULL, run, NULL); }
static inline void join(int thread) {
  if (threads[thread]) pthread_join(threads[thread], NULL);
  threads[thread] = 0;
}
