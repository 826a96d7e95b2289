// story: Opening the library aborts the process.
#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  fputs("last words\n", stderr);
  abort();
}
