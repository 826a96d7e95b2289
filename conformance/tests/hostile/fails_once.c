// story: Making a string fails in the first process that tries.
#include <fcntl.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  char path[4096];
  snprintf(path, sizeof path, "%s/once", getenv("TMPDIR"));
  int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) return real.TVMFFIStringFromByteArray(input, out);
  close(file);
  real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "not the first time");
  return -1;
}
