// story: Opening the library stops the process that runs the suite, be that the parent or one further up.
#include <signal.h>

#include "suite.h"

__attribute__((constructor(200))) static void open_badly(void) {
  kill(getppid(), SIGSTOP);
  kill(suite(), SIGSTOP);
}
