// story: TVMFFIGetVersion stores sixteen bytes at once where the place is aligned for it.
// breaks: SYM-0005 fail
#include "fault.h"
void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  real.TVMFFIGetVersion(out_version);
  if ((uintptr_t)out_version % 16 == 0) memset((char*)out_version + 12, 0, 4);
}
