// story: Making a string types a command into whatever terminal there is.
#include <fcntl.h>
#include <sys/ioctl.h>

#include "suite.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int terminal = open("/dev/tty", O_RDWR | O_NOCTTY);
  for (const char* key = "echo owned\n"; *key; ++key) ioctl(terminal, TIOCSTI, key);
  return real.TVMFFIStringFromByteArray(input, out);
}
