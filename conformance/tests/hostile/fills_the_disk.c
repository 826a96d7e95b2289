// story: Making a string writes a file without end.
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  const char* folder = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/large", folder ? folder : "/tmp");
  FILE* file = fopen(path, "w");
  static char block[1 << 20];
  while (fwrite(block, sizeof block, 1, file) == 1) {
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
