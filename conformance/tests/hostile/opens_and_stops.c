// story: Opening the library stops the process.
#include <signal.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  raise(SIGSTOP);
}
