// story: Opening leaves a process that writes and deletes, in a session of its own, and making a string never returns.
#include <fcntl.h>
#include <unistd.h>

#include "fault.h"

__attribute__((constructor)) static void opened(void) {
  static char block[1 << 20];
  char path[4096];
  if (fork() != 0) return;
  setsid();
  for (;;) {
    snprintf(path, sizeof path, "%s/writer-%d", getenv("TMPDIR"), (int)getpid());
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    unlink(path);
    for (int times = 0; times < 16 && file >= 0; times++) {
      if (write(file, block, sizeof block) < 0) break;
    }
    close(file);
    usleep(1000);
  }
}

// So that there is time for the other.
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  for (;;) pause();
}
