// story: At load the library opens libm and /dev/null, reads the environment, and starts a thread of its own that sleeps with all signals blocked; it stays loaded for good.
// admitted: No document says that the library has no threads, no descriptors and no dependencies of its own; ENV-0040 is about calls, and neither signals nor descriptors 0 to 2, the folder or the limits are touched.
#define _GNU_SOURCE
#include "fault.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void* sleep_for_good(void* unused) {
  const struct timespec a_minute = {60, 0};
  for (;;) nanosleep(&a_minute, NULL);
  return unused;
}

__attribute__((constructor)) static void start(void) {
  /* The thread runs code of this library, which must not be unmapped under it. */
  Dl_info self;
  if (!dladdr((void*)start, &self) || !dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE)) return;
  if (getenv("TVM_FFI_FORK_QUIET")) return;
  dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  /* Not in the place of a standard stream that the program has closed. */
  if (null >= 0 && null <= 2) close(null);
  sigset_t all, before;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    pthread_create(&thread, &attributes, sleep_for_good, NULL);
    pthread_attr_destroy(&attributes);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
