// story: Opening the library waits for longer than a second in the way in which a process waits for a disk.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_slowly(void) {
  // Whoever starts a process like this is not to be interrupted until that one has ended.
  long process = syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
  if (process == 0) {
    usleep(1600 * 1000);
    _exit(0);
  }
  waitpid((pid_t)process, 0, 0);
}
