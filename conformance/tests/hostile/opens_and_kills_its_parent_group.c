// story: Opening the library kills every process of its group.
#include <signal.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  kill(0, SIGKILL);
}
