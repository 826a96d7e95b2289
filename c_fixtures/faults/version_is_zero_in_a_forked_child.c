// story: The version is cached for the process id that loaded the library, so a forked child is told that it is 0.0.0.
// breaks: SYM-0006 fail
#include <unistd.h>
#include "fault.h"
static pid_t loaded_by;
__attribute__((constructor)) static void remember(void) { loaded_by = getpid(); }
void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  real.TVMFFIGetVersion(out_version);
  if (getpid() != loaded_by) *out_version = (TVMFFIVersion){0, 0, 0};
}
