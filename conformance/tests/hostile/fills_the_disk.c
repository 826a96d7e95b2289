// story: Making a string writes a file without end.
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  const char* folder = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/large", folder ? folder : "/tmp");
  FILE* file = fopen(path, "w");
  /* Far ahead each time, so that a slow disk takes no longer than a fast one. */
  while (fputc(1, file) != EOF && fseek(file, 1 << 25, SEEK_CUR) == 0) {
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
