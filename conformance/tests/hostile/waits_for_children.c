// story: Opening the library starts a thread that waits for every child of the process.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"

static void* wait_for_all(void* nothing) {
  for (;;) {
    if (waitpid(-1, NULL, 0) < 0) usleep(1000);
  }
  return nothing;
}

__attribute__((constructor(200))) static void open_badly(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_all, NULL);
}
