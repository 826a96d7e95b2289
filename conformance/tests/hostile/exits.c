// story: Making a string ends the process as if all were well.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  _exit(0);
}
