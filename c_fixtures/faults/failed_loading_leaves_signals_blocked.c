// story: Signals are blocked while a library is loaded, so that no handler runs within the loader, and stay blocked when the loading fails.
// breaks: ENV-0040 fail
#define _GNU_SOURCE
#include "wrapped_global.h"

#include <pthread.h>
#include <signal.h>

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int status = call_original(original, args, num_args, result);
  if (status != 0) return status;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleLoadFromFile", load)
