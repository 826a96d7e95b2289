// story: Opening the library prints without end.
#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  for (;;) puts("and another line, and another line, and another line");
}
