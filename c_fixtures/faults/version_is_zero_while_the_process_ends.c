// story: The version is kept in a static object that the first call makes and that is destroyed at exit, so destructors of the program read zeros.
// breaks: SYM-0006 fail
#include "fault.h"

static int over, constructed;

static void destroy(void) { __atomic_store_n(&over, 1, __ATOMIC_RELEASE); }

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  if (!__atomic_exchange_n(&constructed, 1, __ATOMIC_ACQ_REL)) atexit(destroy);
  real.TVMFFIGetVersion(out_version);
  if (__atomic_load_n(&over, __ATOMIC_ACQUIRE)) *out_version = (TVMFFIVersion){0, 0, 0};
}
