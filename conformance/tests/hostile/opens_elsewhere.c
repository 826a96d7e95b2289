// story: Opening the library changes the current directory and the mask of new files.
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"

__attribute__((constructor(200))) static void open_badly(void) {
  if (chdir("/") == 0) umask(0777);
}
