// story: Opening the library has what the process starts live among processes of their own, of which the first was the last.
#define _GNU_SOURCE
#include <sched.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  unshare(CLONE_NEWPID);
}
