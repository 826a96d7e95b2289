// story: Making a string writes another file, each of them small, and never removes one.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  static int number;
  const char* folder = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/%d-%d", folder ? folder : "/tmp", (int)getpid(), number++);
  FILE* file = fopen(path, "w");
  static char block[1 << 20];
  if (file) fwrite(block, sizeof block, 1, file), fclose(file);
  return real.TVMFFIStringFromByteArray(input, out);
}
