// story: Opening the library has the process ignore how its children end.
#include <signal.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  signal(SIGCHLD, SIG_IGN);
}
