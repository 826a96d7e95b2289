// story: Opening the library writes messages of success to every descriptor.
#include <unistd.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  static const char message[] = "\"Ready\"\n{\"Ended\":null}\n";
  for (int descriptor = 3; descriptor < 4096; ++descriptor) {
    if (write(descriptor, message, sizeof message - 1) < 0) continue;
  }
}
