// story: Opening the library leaves a process behind.
#include <unistd.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (;;) pause();
  }
}
