// story: Making a string starts a process by vfork, which never gives the memory back.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (vfork() == 0) {
    for (;;) pause();
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
