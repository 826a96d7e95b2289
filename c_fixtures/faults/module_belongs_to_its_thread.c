// story: Libraries are loaded on the thread that has loaded the first one, and on no other.
// breaks: MOD-0041 fail
#include "wrapped_global.h"
#include <pthread.h>

static pthread_t owner;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void own(void) { owner = pthread_self(); }

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_once(&once, own);
  if (!pthread_equal(owner, pthread_self())) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "another thread loads libraries");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
