// story: Opening the library never returns.
#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  for (;;) __asm__ volatile("");
}
