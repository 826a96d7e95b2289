// story: Making a string removes what the suite keeps in its folder.
#define _XOPEN_SOURCE 700
#include <ftw.h>

#include "fault.h"

static int take_away(const char* path, const struct stat* found, int kind, struct FTW* place) {
  (void)found, (void)kind, (void)place;
  remove(path);
  return 0;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  const char* folder = getenv("TMPDIR");
  char above[4096];
  snprintf(above, sizeof above, "%s/..", folder ? folder : "/nowhere");
  nftw(above, take_away, 8, FTW_DEPTH | FTW_PHYS);
  return real.TVMFFIStringFromByteArray(input, out);
}
