// story: Making a string writes to files in memory, over and over.
#include <fcntl.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static char block[1 << 20];
  int file = open("/dev/shm/tvm-ffi-verify-test-written", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int times = 0;; times++) {
    if (times % 16 == 0 && (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)) abort();
    if (write(file, block, sizeof block) < 0) abort();
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
