// story: Opening the library leaves the process no room for another file.
#include <sys/resource.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  const struct rlimit few = {4, 4};
  setrlimit(RLIMIT_NOFILE, &few);
}
