// story: Opening the library closes every descriptor of the process.
#include <unistd.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  for (int descriptor = 0; descriptor < 4096; ++descriptor) close(descriptor);
}
