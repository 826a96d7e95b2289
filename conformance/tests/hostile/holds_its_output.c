// story: Making a string leaves a process behind that keeps the output open and prints.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static int done;
  if (!done++ && fork() == 0) {
    setsid();
    for (;;) puts("still here");
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
