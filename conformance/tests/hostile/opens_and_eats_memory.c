// story: Opening the library takes memory without end.
#include <string.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}
