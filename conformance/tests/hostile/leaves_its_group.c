// story: Making a string leaves the process group and never returns.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  setsid();
  for (;;) pause();
}
