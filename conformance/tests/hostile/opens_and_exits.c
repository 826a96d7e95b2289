// story: Opening the library ends the process as if all were well.
#include <unistd.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) { _exit(0); }
