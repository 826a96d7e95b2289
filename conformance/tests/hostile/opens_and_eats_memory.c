// story: Opening the library takes memory without end.
#include <string.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  for (;;) {
    volatile char* block = malloc(1 << 24);
    block[0] = 1;
  }
}
