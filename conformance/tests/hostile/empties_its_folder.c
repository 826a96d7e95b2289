// story: Making a string removes what is temporary.
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
  if (folder) nftw(folder, take_away, 8, FTW_DEPTH | FTW_PHYS);
  return real.TVMFFIStringFromByteArray(input, out);
}
