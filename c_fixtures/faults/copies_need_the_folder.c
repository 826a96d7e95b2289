// story: TVMFFIAnyViewToOwnedAny notes in which folder the program is, and fails where that has been removed.
// breaks: ENV-0041 fail
#include "fault.h"
#include <unistd.h>

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  char folder[4096];
  if (getcwd(folder, sizeof folder) != NULL) return real.TVMFFIAnyViewToOwnedAny(view, out);
  real.TVMFFIErrorSetRaisedFromCStr("OSError", "The folder is gone");
  return -1;
}
