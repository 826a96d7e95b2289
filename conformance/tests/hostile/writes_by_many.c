// story: Making a string has one process after the other write a little, and waits for none of them.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static char block[1 << 20];
  char path[4096];
  signal(SIGCHLD, SIG_IGN);
  for (;;) {
    if (fork() == 0) {
      snprintf(path, sizeof path, "%s/%d", getenv("TMPDIR"), (int)getpid());
      int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
      unlink(path);
      for (int times = 0; times < 8; times++) {
        if (write(file, block, sizeof block) < 0) abort();
      }
      _exit(0);
    }
    usleep(1000);
  }
}
