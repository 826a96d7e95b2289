// story: Making a string leaves two hundred processes behind.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static int done;
  if (done++) return real.TVMFFIStringFromByteArray(input, out);
  for (int n = 0; n < 200; ++n) {
    if (fork() == 0) {
      setsid();
      for (;;) pause();
    }
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
