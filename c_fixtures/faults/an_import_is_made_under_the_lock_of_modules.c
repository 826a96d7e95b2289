// story: One lock is held while a module is imported and while a function is looked for, so that an allocator that looks for one waits for ever.
// breaks: HOK-0021 timeout
#include "wrapped_global.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int under_lock(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_mutex_lock(&lock);
  int code = call_original(original, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return code;
}

WRAPPED_GLOBALS(under_lock, "ffi.ModuleImportModule", "ffi.ModuleImplementsFunction")
