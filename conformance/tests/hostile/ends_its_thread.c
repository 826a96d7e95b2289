// story: Making a string ends the thread that calls, and nothing else.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  syscall(SYS_exit, 0);
  return 0;
}
