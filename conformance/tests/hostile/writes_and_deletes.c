// story: Making a string writes files and deletes them, without end.
#include <fcntl.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static char block[1 << 20];
  char path[4096];
  snprintf(path, sizeof path, "%s/%d", getenv("TMPDIR"), (int)getpid());
  for (;;) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, block, sizeof block) < 0) abort();
    close(file);
    unlink(path);
  }
}
