// story: TVMFFIGetVersion answers the version on the first thread alone; others get a patch number of zero.
// breaks: SYM-0006 fail
#include "first_thread.h"

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  real.TVMFFIGetVersion(out_version);
  if (!is_first_thread()) out_version->patch = 0;
}
