// story: The version is read once, into memory of the thread that asks first; other threads find zeros.
// breaks: SYM-0006 fail
#include "fault.h"

static __thread TVMFFIVersion version;
static int read_once;

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  if (!__atomic_exchange_n(&read_once, 1, __ATOMIC_ACQ_REL)) real.TVMFFIGetVersion(&version);
  *out_version = version;
}
