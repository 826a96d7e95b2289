// story: TVMFFIGetVersion writes four words of 32 bits, of which the last is a build number.
// breaks: SYM-0005 fail
// chance: What lies behind the version is whatever the build put there.
#include "fault.h"

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  real.TVMFFIGetVersion(out_version);
  uint32_t build = 1;
  memcpy((char*)out_version + 12, &build, sizeof build);
}
