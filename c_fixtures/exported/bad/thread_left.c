// story: starts a thread with each call that never ends
// breaks: leak
#include <pthread.h>
#include <unistd.h>

static void* wait_for_ever(void* nothing) {
  for (;;) pause();
  return nothing;
}

static void start(void) {
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 16);
  if (pthread_create(&thread, &small, wait_for_ever, NULL) == 0) pthread_detach(thread);
}

#define AFTER start()
#include "add_one.h"
