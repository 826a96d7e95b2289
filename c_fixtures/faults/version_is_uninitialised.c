// story: TVMFFIGetVersion writes major and minor, and leaves the patch number as it was.
// breaks: SYM-0005 fail
#include "fault.h"

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  uint32_t patch = out_version->patch;
  real.TVMFFIGetVersion(out_version);
  out_version->patch = patch;
}
