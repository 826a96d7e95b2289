// story: TVMFFIGetVersion answers the version on the first thread alone; others get a patch number of zero.
// breaks: SYM-0006 fail
#include "fault.h"

#include <pthread.h>

static pthread_t first_thread;

__attribute__((constructor)) static void remember_first_thread(void) { first_thread = pthread_self(); }

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  real.TVMFFIGetVersion(out_version);
  if (!pthread_equal(first_thread, pthread_self())) out_version->patch = 0;
}
