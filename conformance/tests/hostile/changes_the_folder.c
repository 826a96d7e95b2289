// story: Making a string changes the folder of the process, and the mask of new files.
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  umask(0777);
  if (chdir("/")) return -1;
  return real.TVMFFIStringFromByteArray(input, out);
}
