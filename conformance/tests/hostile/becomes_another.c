// story: Making a string turns the process into another program.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  execl("/bin/sleep", "sleep", "1000", (char*)NULL);
  return 0;
}
