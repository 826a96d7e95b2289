// story: The library claims the version 0.1.20260401: the patch number of a fork that counts by dates.
// admitted: c_api.h: a version is "a claim of the library, not its identity"; three numbers of 32 bits (SYM-0005), the same on each call (SYM-0006); it exports all that the newest headers declare (SYM-0009).
#include "fault.h"

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  real.TVMFFIGetVersion(out_version);
  out_version->patch = 20260401;
}
