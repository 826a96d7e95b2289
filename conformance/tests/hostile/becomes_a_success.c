// story: Making a string turns the process into a program that succeeds.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  execl("/bin/true", "true", (char*)NULL);
  return 0;
}
