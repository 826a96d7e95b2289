// story: TVMFFIGetVersion copies sixteen bytes at once, one word more than the three numbers have.
// breaks: SYM-0005 fail
// chance: What lies behind the version is whatever the build put there.
#include "fault.h"

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  uint32_t version[4] = {0};
  real.TVMFFIGetVersion((TVMFFIVersion*)version);
  for (int i = 0; i < 4; ++i) ((volatile uint32_t*)out_version)[i] = version[i];
}
