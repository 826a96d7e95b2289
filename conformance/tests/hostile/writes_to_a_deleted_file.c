// story: Making a string writes to a file that no folder has, over and over.
#include <fcntl.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static char block[1 << 20];
  char path[4096];
  snprintf(path, sizeof path, "%s/%d", getenv("TMPDIR"), (int)getpid());
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  unlink(path);
  for (int times = 0;; times++) {
    if (times % 16 == 0 && (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)) abort();
    if (write(file, block, sizeof block) < 0) abort();
  }
}
