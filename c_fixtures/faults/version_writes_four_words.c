// story: TVMFFIGetVersion takes the version for a struct of four words and writes past its end.
// breaks: SYM-0005 fail
// chance: What lies behind the version is whatever the build put there.
#include "fault.h"

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  real.TVMFFIGetVersion(out_version);
  ((volatile uint32_t*)out_version)[3] = 0;
}
